import { utf8Text } from './profiles.ts'
import { hint, printable, type Terminal, UsageError } from './terminal.ts'

const MAX_BYTES = 262_144

/** Reads credentials from standard input. If they are not valid, throws a UsageError that contains no value of a credential. */
export async function readCredentials({ stdin }: Terminal): Promise<Record<string, string>> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stdin) {
    chunks.push(Buffer.from(chunk))
    bytes += chunk.length
    if (bytes > MAX_BYTES) throw new UsageError(`the credentials on standard input are longer than ${MAX_BYTES} bytes`)
  }
  return parseCredentials(utf8Text('standard input', Buffer.concat(chunks)))
}

/** Reads the client secret of an OAuth client from standard input. `of` says whose it is. */
export async function readClientSecret(terminal: Terminal, of: string): Promise<string> {
  if (terminal.stdin.isTTY) {
    hint(terminal, `Type client_secret= and the secret of ${printable(of)} (it shows as you type), then press Enter and Ctrl-D.`)
  }
  const { client_secret, ...others }: { client_secret?: string } = await readCredentials(terminal)
  if (client_secret === undefined || Object.keys(others).length > 0) throw new UsageError('send only client_secret=value')
  return client_secret
}

/** Parses a JSON object of strings, or one line `field=value` for each field. Everything after the first `=` is the value. */
function parseCredentials(text: string): Record<string, string> {
  const entries = text.trimStart().startsWith('{') ? readObject(text) : readLines(text)
  if (entries.length === 0) throw new UsageError('no credentials on standard input: send a JSON object, or field=value lines')
  const repeated = entries.find(([name], index) => entries.findIndex(([other]) => other === name) < index)
  if (repeated !== undefined) throw new UsageError(`the credentials name ${repeated[0]} twice`)
  return Object.fromEntries(entries)
}

function readObject(text: string): [string, string][] {
  let value: object
  try {
    value = JSON.parse(text)
  } catch {
    // The parser's message would quote the credentials.
    throw new UsageError('the credentials on standard input are not valid JSON')
  }
  return Object.entries(value).map(([name, field]) => {
    if (typeof field !== 'string') throw new UsageError(`each credential must be a JSON string: ${name} is not`)
    return [name, field]
  })
}

function readLines(text: string): [string, string][] {
  return text.split(/\r?\n/).flatMap((line, index): [string, string][] => {
    if (line.trim() === '') return []
    const equals = line.indexOf('=')
    const name = line.slice(0, equals).trim()
    if (equals < 0 || name === '') throw new UsageError(`line ${index + 1} of the credentials is not field=value`)
    return [[name, line.slice(equals + 1)]]
  })
}
