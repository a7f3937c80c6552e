import { type CompletedCommand, type CompletedOption, outermost, type Takes } from './words.js';

/** Nothing of flow is started while one types. */
export function fishScript(commands: readonly CompletedCommand[]): string {
  const valued = [...new Set(commands.flatMap(({ options }) => options.flatMap(({ long, takes }) => (takes === undefined ? [] : [long]))))];
  return `# Completion of flow for fish: flow completion fish
set -g __flow_valued ${valued.join(' ')}

# The words typed so far behind flow, without options and what stands behind those.
function __flow_typed
    set -l tokens (commandline -opc)
    set -l skip 0
    for token in $tokens[2..-1]
        if test $skip = 1
            set skip 0
        else if contains -- $token $__flow_valued
            set skip 1
        else if not string match -q -- '-*' $token
            echo $token
        end
    end
end

function __flow_at
    set -l typed (__flow_typed)
    set -l words (count (string split ' ' -- $argv[1]))
    test (count $typed) = (math $words + $argv[2] - 1); and test "$typed[1..$words]" = "$argv[1]"
end

function __flow_from
    set -l typed (__flow_typed)
    set -l words (count (string split ' ' -- $argv[1]))
    test (count $typed) -ge (math $words + $argv[2] - 1); and test "$typed[1..$words]" = "$argv[1]"
end

function __flow_runs
    set -l home $FLOW_HOME
    test -n "$home"; or set home $XDG_DATA_HOME/flow
    test -n "$FLOW_HOME$XDG_DATA_HOME"; or set home $HOME/.local/share/flow
    set -l tokens (commandline -opc)
    if set -l at (contains -i -- --home $tokens)
        set home (string replace -r '^~' $HOME -- $tokens[(math $at + 1)])
    end
    echo latest
    for run in $home/runs/*/
        string match -r '[0-9-]{10}T[0-9-]{8}-[0-9a-f]{4}(?=/$)' -- $run
    end
end

complete -c flow -f
complete -c gated-flow -w flow
${outermost(commands)
  .map(({ name, summary }) => `complete -c flow -n 'test (count (__flow_typed)) = 0' -a ${name} -d ${quoted(summary)}`)
  .join('\n')}
complete -c flow -n 'test (count (__flow_typed)) = 0' -a help -d 'how a command is used'
complete -c flow -n '__flow_at help 1' -a '${outermost(commands)
    .map(({ name }) => name)
    .join(' ')}'
${commands.flatMap(commandLines).join('\n')}
`;
}

function commandLines({ name, options, places, more }: CompletedCommand): string[] {
  const last = places.length;
  return [
    ...options.map((option) => optionLine(name, option)),
    ...places.map(
      (takes, index) =>
        `complete -c flow -n '${more && index + 1 === last ? '__flow_from' : '__flow_at'} "${name}" ${index + 1}' ${offered(takes)}`,
    ),
  ];
}

function optionLine(name: string, { long, takes, description }: CompletedOption): string {
  const value = takes === undefined ? '' : ` -r ${offered(takes)}`;
  return `complete -c flow -n '__flow_from "${name}" 1' -l ${long.slice(2)} -d ${quoted(description)}${value}`;
}

function offered(takes: Takes): string {
  switch (takes) {
    case 'runs':
      return "-a '(__flow_runs)'";
    case 'folders':
      return "-a '(__fish_complete_directories)'";
    case 'files':
      return '-F';
    case 'nothing':
      return '-f';
    default:
      return `-a ${quoted(takes.join(' '))}`;
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
