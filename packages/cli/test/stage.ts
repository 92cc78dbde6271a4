import { createHmac } from 'node:crypto'
import { openScriptedServer, type Received, type ScriptedServer, sendJson } from '@onward/testbed'
import { runCommand, type Terminal } from '../src/index.ts'

export const TOKEN = 'adm-s3cret'
export const APP_SECRET = 'sk_s3cret'
export const API_KEY = 'pk_s3cret'

type Ran = { readonly code: number; readonly out: string; readonly err: string }

type World = {
  readonly stdin?: string | Buffer
  readonly isTTY?: boolean
  readonly setRawMode?: (raw: boolean) => void
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Interrupts the command as Ctrl-C does. */
  readonly interrupt?: AbortSignal
}

/** Two scripted services, each with its public API and its admin API, and the command that runs against them. */
export type Stage = {
  readonly functions: ScriptedServer
  readonly insights: ScriptedServer
  /** The settings of both services, as variables of the environment. */
  readonly env: Readonly<Record<string, string>>
  /** The requests to functions, then those to insights: service, method, path and body. */
  requests(): unknown[]
  run(args: readonly string[], world?: World): Promise<Ran>
  close(): Promise<void>
}

export async function openStage(): Promise<Stage> {
  const [functions, insights] = await Promise.all([openScriptedServer(), openScriptedServer()])
  const env = {
    ONWARD_ADMIN_TOKEN: TOKEN,
    ONWARD_FUNCTIONS_ADMIN_URL: functions.url,
    ONWARD_INSIGHTS_ADMIN_URL: insights.url,
    ONWARD_BASE_URL: functions.url,
    ONWARD_APP_KEY: 'shop',
    ONWARD_APP_SECRET: APP_SECRET,
    ONWARD_INSIGHTS_URL: insights.url,
    ONWARD_API_KEY: API_KEY,
  }
  return {
    functions,
    insights,
    env,
    requests: () => [...functions.received.map(describeRequest('functions')), ...insights.received.map(describeRequest('insights'))],
    run: (args, world = {}) => runIn({ env, ...world }, args),
    async close() {
      await Promise.all([functions.close(), insights.close()])
    },
  }
}

/** Sets the response of a server to all later requests. */
export function answers(server: ScriptedServer, body: unknown, status = 200): void {
  server.respond((_received, response) => sendJson(response, status, body))
}

function describeRequest(service: string): (received: Received) => unknown[] {
  return ({ method, url, headers, body }) => {
    if (!isAuthenticated(url, headers)) throw new Error(`${method} ${url} came without the credentials of its API`)
    return body === '' ? [service, method, url] : [service, method, url, JSON.parse(body)]
  }
}

function isAuthenticated(url: string, headers: Received['headers']): boolean {
  if (url.startsWith('/admin/')) return headers.authorization === `Bearer ${TOKEN}`
  if (url.startsWith('/partners/')) return headers['api-key'] === API_KEY
  const hash = createHmac('sha256', APP_SECRET).update(String(headers['user-id'])).digest('hex')
  return headers['app-key'] === 'shop' && headers.hash === hash
}

async function runIn(
  { stdin = '', isTTY = false, setRawMode, env = {}, cwd = '/nowhere', interrupt }: World,
  args: readonly string[],
): Promise<Ran> {
  const written = { out: '', err: '' }
  async function* input() {
    // The first bytes are sent one by one, which splits multi-byte characters.
    const bytes = Buffer.from(stdin)
    for (const byte of bytes.subarray(0, 64)) yield Buffer.of(byte)
    yield bytes.subarray(64)
  }
  const terminal: Terminal = {
    env,
    cwd,
    stdin: Object.assign(input(), { isTTY, ...(setRawMode && { setRawMode }) }),
    stdout: { write: (text) => (written.out += text) },
    stderr: { write: (text) => (written.err += text) },
    now: () => new Date('2026-03-10T12:00:00Z'),
    onInterrupt: (stop) => interrupt?.addEventListener('abort', stop, { once: true }),
  }
  return { code: await runCommand(args, terminal), ...written }
}
