import type { ModelSource } from '@gated-flow/record';
import { ranOnGiven } from '../../given/place.js';
import type { ModelWords } from '../../models/choose.js';
import { type Donor, refusedDonor, type RefusedDonor } from '../donor/donor.js';

/** Why this run cannot be resumed by these models; null when it can. */
export function refuseDonor({ name, word, view }: Donor, models: ModelWords): RefusedDonor | null {
  const { model_source: source, ending } = view;
  if (ending?.cause === 'success') {
    return refusedDonor(`The run ${name} succeeded: nothing of it is left to run. flow run starts anew.`, `flow output ${word}`);
  }
  if (ranOnGiven(view)) {
    return refusedDonor(
      `The run ${name} was of one stage, on files given to it. It is run once more on the same files by flow stage.`,
      `flow stage DIR --from ${word}`,
    );
  }
  if (kindOf(source) === models.kind) return null;
  return refusedDonor(`The run ${name} was ${MADE[kindOf(source)]}. ${SAY[kindOf(source)](word)}`);
}

type Kind = ModelWords['kind'];

/** What a script or a rehearsal wrote is no work of a model, and the other way round: they are never mixed in one run. */
function kindOf(source: ModelSource): Kind {
  return source === 'scripted' || source === 'rehearsal' ? source : 'provider';
}

const MADE: Readonly<Record<Kind, string>> = { provider: 'made by models', scripted: 'scripted', rehearsal: 'a rehearsal' };

const SAY: Readonly<Record<Kind, (word: string) => string>> = {
  provider: () => 'It is resumed without --script and --rehearse.',
  scripted: (word) => `It is resumed with a script: flow resume ${word} --script FILE.`,
  rehearsal: (word) => `It is resumed as one: flow resume ${word} --rehearse.`,
};
