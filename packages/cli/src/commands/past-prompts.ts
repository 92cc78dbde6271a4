import { send } from '@onward/client'
import { clearPastPrompts, putApplication } from '@onward/contract'
import { Argument, type Command } from 'commander'
import { findApplication } from '../find-application.ts'
import { showOne } from '../output.ts'
import { adminOf } from '../settings.ts'
import type { GlobalOptions, Terminal } from '../terminal.ts'

/** Commands of `application`. */
export function addPastPromptCommands(application: Command, terminal: Terminal): void {
  application
    .command('learn-from-use')
    .description('Say whether prompts are kept whose predicted function was then called. Turned off, those that are kept are removed.')
    .argument('<app_key>')
    .addArgument(new Argument('<on|off>').choices(['on', 'off']))
    .action(async (appKey: string, choice: 'on' | 'off', _asked: object, command: Command) => {
      await setLearnFromUse(terminal, command.optsWithGlobals<GlobalOptions>(), appKey, choice === 'on')
    })

  application
    .command('clear-past-prompts')
    .description('Remove the prompts that are kept because their predicted function was then called.')
    .argument('<app_key>')
    .action(async (appKey: string, _asked: object, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const functions = await adminOf('functions', terminal, options)
      showOne(terminal, options, await send(functions, clearPastPrompts, { params: { app_key: appKey } }))
    })
}

/** The workspace and the name must be told each time. */
async function setLearnFromUse(terminal: Terminal, options: GlobalOptions, appKey: string, learn: boolean): Promise<void> {
  const functions = await adminOf('functions', terminal, options)
  const { workspace_id, name } = await findApplication(functions, appKey)
  const body = { workspace_id, name, learn_from_use: learn }
  await send(functions, putApplication, { params: { app_key: appKey }, body })
  showOne(terminal, options, { app_key: appKey, learn_from_use: learn })
}
