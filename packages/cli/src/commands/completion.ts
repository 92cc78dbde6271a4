import { Argument, type Command } from 'commander'
import { COMPLETE } from '../complete.ts'
import { addExamples } from '../examples.ts'
import type { Terminal } from '../terminal.ts'

/** Each script asks `onward` itself for the words that fit, so it never grows old. Where none fits, bash and zsh offer files. */
const SCRIPTS = {
  bash: `_onward() {
  local IFS=$'\\n'
  COMPREPLY=($(onward ${COMPLETE} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _onward onward
`,
  zsh: `#compdef onward
_onward() {
  local -a found
  found=("\${(@f)$(onward ${COMPLETE} "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${found[1]}" ]]; then compadd -- "\${found[@]}"; else _files; fi
}
compdef _onward onward
`,
  fish: `complete -c onward -f -a '(onward ${COMPLETE} (commandline -opc)[2..] "$(commandline -ct)" 2>/dev/null)'
complete -c onward -l input -r -F
`,
} as const

export function addCompletionCommand(completion: Command, terminal: Terminal): void {
  completion.addArgument(new Argument('<shell>').choices(Object.keys(SCRIPTS))).action((shell: keyof typeof SCRIPTS) => {
    terminal.stdout.write(SCRIPTS[shell])
  })
  addExamples(completion, [
    'source <(onward completion bash)     # in ~/.bashrc',
    'source <(onward completion zsh)      # in ~/.zshrc, after compinit',
    'onward completion fish > ~/.config/fish/completions/onward.fish',
  ])
}
