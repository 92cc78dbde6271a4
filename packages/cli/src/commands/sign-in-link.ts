import { createSignInLink } from '@onward/contract'
import { send } from '@onward/contract-client'
import type { Command } from 'commander'
import { adminOf } from '../admin.ts'
import { wholeNumberParser } from '../arguments.ts'
import { addExamples } from '../examples.ts'
import { type GlobalOptions, hint, showOne, type Terminal } from '../terminal.ts'

type Asked = { readonly operator?: boolean; readonly minutes?: number }

export function addSignInLinkCommand(link: Command, terminal: Terminal): void {
  link
    .description(
      'Make a link with which a person signs in to the console, once. The first operator gets one with the admin token and --operator; ' +
        'members of a workspace are invited in the console.',
    )
    .argument('<email>', 'e-mail address of the person, who is created if unknown')
    .option('--operator', 'make the person an operator, who may do everything in all workspaces')
    .option('--no-operator', 'take the rights of an operator from the person')
    .option('--minutes <n>', 'how long the link is valid: at most 1440, by default 10', wholeNumberParser(1))
    .action(async (email: string, { operator, minutes }: Asked, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const insights = await adminOf('insights', terminal, options)
      showOne(terminal, options, await send(insights, createSignInLink, { body: { email, operator, minutes } }))
      hint(terminal, 'Send the link only to this person. The first person who opens it is signed in.')
    })
  addExamples(link, ['onward sign-in-link ann@example.com --operator', 'onward sign-in-link ann@example.com --minutes 60 --json'])
}
