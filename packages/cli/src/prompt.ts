import { type Terminal, UsageError } from './terminal.ts'

type Prompt = {
  /** Shows a question and returns the line that the user types. A secret is not shown. Throws a UsageError if the user cancels. */
  ask(question: string, how?: 'secret'): Promise<string>
  /** Stops reading standard input, so that the process can end. */
  close(): Promise<void>
}

/** Reads responses from the terminal. If standard input is not a terminal, throws a UsageError with the text `instead`. */
export function openPrompt({ stdin, stderr }: Terminal, instead: string): Prompt {
  if (!stdin.isTTY) throw new UsageError(instead)
  const chunks = stdin[Symbol.asyncIterator]()
  const decoder = new TextDecoder()
  let waiting: string[] = []

  async function nextCharacter(): Promise<string> {
    while (waiting.length === 0) {
      const { done, value } = await chunks.next()
      if (done) throw new UsageError('cancelled')
      waiting = [...(typeof value === 'string' ? value : decoder.decode(value, { stream: true }))]
    }
    return waiting.shift() as string
  }

  async function readLine(): Promise<string> {
    const typed: string[] = []
    for (;;) {
      const character = await nextCharacter()
      if (character === '\n' || character === '\r') return typed.join('').trim()
      // In raw mode, Ctrl-C, Ctrl-D and backspace arrive as characters.
      if (character === '\u0003' || character === '\u0004') throw new UsageError('cancelled')
      if (character === '\u007f' || character === '\b') typed.pop()
      else typed.push(character)
    }
  }

  return {
    async ask(question, how) {
      stderr.write(question)
      if (how !== 'secret') return await readLine()
      stdin.setRawMode?.(true)
      try {
        return await readLine()
      } finally {
        stdin.setRawMode?.(false)
        stderr.write('\n')
      }
    },
    async close() {
      await chunks.return?.()
    },
  }
}

/** Does the same as `confirmDeletion`, but asks nothing without a terminal, so that scripts need no `--yes` for what is easily made again. */
export async function confirmOnTerminal(terminal: Terminal, name: string, yes = false): Promise<void> {
  if (terminal.stdin.isTTY) await confirmDeletion(terminal, name, yes)
}

/** Asks the user to type the name of what is deleted, unless `yes` is true. Throws a UsageError for any other response. */
export async function confirmDeletion(terminal: Terminal, name: string, yes: boolean): Promise<void> {
  if (yes) return
  const prompt = openPrompt(terminal, `this deletes ${name}: give --yes to confirm it`)
  try {
    if ((await prompt.ask(`Type ${name} to delete it: `)) !== name) throw new UsageError('cancelled')
  } finally {
    await prompt.close()
  }
}
