/** What bash and zsh look up alike: shell functions that answer from a `case`. Pure. */
import { type CompletedCommand, outermost, takesWord } from './words.js';

/** Words in them are ours: names of commands and options, nothing that was read. */
export function tableFunctions(commands: readonly CompletedCommand[]): string {
  const valued = commands.flatMap(({ name, options }) =>
    options.flatMap(({ long, takes }) => (takes === undefined ? [] : [`    '${name} ${long}') echo '${takesWord(takes)}' ;;`])),
  );
  const places = commands.flatMap(({ name, places: all, more }) => [
    ...all.map((takes, index) => `    '${name} ${index + 1}') echo '${takesWord(takes)}' ;;`),
    ...(more ? [`    '${name} '*) echo '${takesWord(all.at(-1) ?? 'nothing')}' ;;`] : []),
  ]);
  const inner = commands.flatMap(({ name }) => (name.includes(' ') ? [`'${name}'`] : []));
  return `_flow_commands='${outermost(commands)
    .map(({ name }) => name)
    .join(' ')} help'

_flow_options() {
  case "$1" in
${commands.map(({ name, options }) => `    '${name}') echo '${options.map(({ long }) => long).join(' ')}' ;;`).join('\n')}
    *) echo '--help --version' ;;
  esac
}

# What stands behind an option, and at the nth place behind a command.
_flow_value() {
  case "$1 $2" in
${valued.join('\n')}
    *) return 1 ;;
  esac
}

_flow_place() {
  case "$1 $2" in
    'help 1') echo "$_flow_commands" ;;
${places.join('\n')}
    *) echo nothing ;;
  esac
}

# Whether a command has another inside.
_flow_inside() {
  case "$1 $2" in
    ${inner.join(' | ')}) ;;
    *) return 1 ;;
  esac
}

_flow_runs() {
  local home="$1" run
  [ -n "$home" ] || home="\${FLOW_HOME:-\${XDG_DATA_HOME:-$HOME/.local/share}/flow}"
  echo latest
  for run in "\${home/#\\~/$HOME}"/runs/[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]-[0-9][0-9]-[0-9][0-9]-[0-9a-f][0-9a-f][0-9a-f][0-9a-f]; do
    [ -d "$run" ] && echo "\${run##*/}"
  done
}

# Sets kind: what is to be completed, and command: for which. Given are the words up to the one that is being typed, from the command on.
_flow_kind() {
  local place=1 value
  command="$1"
  kind=''
  home_typed=''
  if [ $# -eq 0 ]; then kind=$_flow_commands; return; fi
  shift
  while [ $# -gt 0 ]; do
    if value=$(_flow_value "$command" "$1"); then
      if [ $# -eq 1 ]; then kind=$value; return; fi
      [ "$1" = --home ] && home_typed="$2"
      shift 2
      continue
    fi
    case "$1" in
      -*) ;;
      *)
        if [ $place -eq 1 ] && _flow_inside "$command" "$1"; then command="$command $1"; else place=$((place + 1)); fi ;;
    esac
    shift
  done
  kind=$(_flow_place "$command" "$place")
}
`;
}
