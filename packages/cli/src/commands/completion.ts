import { Argument, type Command } from 'commander'
import { COMPLETE } from '../complete.ts'
import { addExamples } from '../examples.ts'
import type { Terminal } from '../terminal.ts'

/** Each script asks `onward` for the words that fit, so it needs no change for a new command. Where none fits, the shell offers files. */
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
# In a folder of fpath, zsh runs this file as the function at its first use.
if [[ "\${funcstack[1]}" == _onward ]]; then _onward; else compdef _onward onward; fi
`,
  fish: `function __onward_words
  set -l found (onward ${COMPLETE} (commandline -opc)[2..] "$(commandline -ct)" 2>/dev/null)
  if set -q found[1]
    printf '%s\\n' $found
  else
    __fish_complete_path "$(commandline -ct)"
  end
end
complete -c onward -f -a '(__onward_words)'
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
