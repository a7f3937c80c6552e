import { tableFunctions } from './tables.js';
import { type CompletedCommand, outermost } from './words.js';

/** To be sourced after compinit, or to stand as \`_flow\` in a folder of \`fpath\`. Nothing of flow is started while one types. */
export function zshScript(commands: readonly CompletedCommand[]): string {
  const described = [
    ...outermost(commands).map(({ name, summary }) => `    '${name}:${quoted(summary)}'`),
    "    'help:how a command is used'",
  ];
  return `#compdef flow gated-flow
# Completion of flow for zsh: flow completion zsh
${tableFunctions(commands)}
_flow_described() {
  local -a described
  described=(
${described.join('\n')}
  )
  _describe command described
}

_flow() {
  emulate -L zsh -o no_nomatch -o sh_word_split
  local kind command home_typed
  _flow_kind "\${(@)words[2,CURRENT-1]}"
  if [[ $words[CURRENT] = -* ]]; then
    compadd -- $(_flow_options "$command")
    return
  fi
  case "$kind" in
    files) _files ;;
    folders) _files -/ ;;
    nothing) ;;
    runs) compadd -- $(_flow_runs "$home_typed"); _files -/ ;;
    "$_flow_commands") _flow_described ;;
    *) compadd -- $kind ;;
  esac
}

if [ "$funcstack[1]" = _flow ]; then
  _flow "$@"
elif (( $+functions[compdef] )); then
  compdef _flow flow gated-flow
fi
`;
}

/** Inside single quotes. */
function quoted(text: string): string {
  return text.replaceAll("'", String.raw`'\''`).replaceAll(':', String.raw`\:`);
}
