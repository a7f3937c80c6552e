import { tableFunctions } from './tables.js';
import type { CompletedCommand } from './words.js';

/** Also for the bash 3.2 of macOS. Nothing of flow is started while one types. */
export function bashScript(commands: readonly CompletedCommand[]): string {
  return `# Completion of flow for bash: flow completion bash
${tableFunctions(commands)}
_flow() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" kind command home_typed words
  COMPREPLY=()
  _flow_kind "\${COMP_WORDS[@]:1:COMP_CWORD-1}"
  case "$cur" in
    -*) words=$(_flow_options "$command") ;;
    *)
      case "$kind" in
        files) return ;;
        folders) compopt -o dirnames +o default +o bashdefault 2>/dev/null; return ;;
        nothing) compopt +o default +o bashdefault 2>/dev/null; return ;;
        runs) words=$(_flow_runs "$home_typed") ;;
        *) words=$kind ;;
      esac ;;
  esac
  # A run may also be named by its folder: without a match files are offered.
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o bashdefault -o default -F _flow flow gated-flow
`;
}
