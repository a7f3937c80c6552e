import type { Skill } from '@gated-flow/assembly';
import { compareBytes } from '@gated-flow/text';

/** The skills in scope one level further in: of one name the inner wins; in name order (G-9). The same list when nothing is added. */
export function withSkills(outer: readonly Skill[], inner: readonly Skill[]): readonly Skill[] {
  if (inner.length === 0) return outer;
  const byName = new Map([...outer, ...inner].map((skill) => [skill.name, skill]));
  return [...byName.values()].sort((a, b) => compareBytes(a.name, b.name));
}
