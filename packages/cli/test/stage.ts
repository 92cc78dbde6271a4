import { openScriptedServer, type Received, type ScriptedServer, sendJson } from '@onward/testbed'
import { runCommand, type Terminal } from '../src/index.ts'

export const TOKEN = 'adm-s3cret'

type Ran = { readonly code: number; readonly out: string; readonly err: string }

type World = { readonly stdin?: string; readonly isTTY?: boolean; readonly env?: Record<string, string>; readonly cwd?: string }

/** Two scripted admin APIs, and the command that runs against them. */
export type Stage = {
  readonly functions: ScriptedServer
  readonly insights: ScriptedServer
  /** The requests to functions, then those to insights: service, method, path and body. */
  requests(): unknown[]
  run(args: readonly string[], world?: World): Promise<Ran>
  close(): Promise<void>
}

export async function openStage(): Promise<Stage> {
  const [functions, insights] = await Promise.all([openScriptedServer(), openScriptedServer()])
  const env = { ONWARD_ADMIN_TOKEN: TOKEN, ONWARD_FUNCTIONS_ADMIN_URL: functions.url, ONWARD_INSIGHTS_ADMIN_URL: insights.url }
  return {
    functions,
    insights,
    requests: () => [...functions.received.map(describeRequest('functions')), ...insights.received.map(describeRequest('insights'))],
    run: (args, world = {}) => runIn({ env, ...world }, args),
    async close() {
      await Promise.all([functions.close(), insights.close()])
    },
  }
}

/** Sets the response of a server to all later requests. */
export function answers(server: ScriptedServer, body: unknown, status = 200): void {
  server.answer((_received, response) => sendJson(response, status, body))
}

function describeRequest(service: string): (received: Received) => unknown[] {
  return ({ method, url, headers, body }) => {
    if (headers.authorization !== `Bearer ${TOKEN}`) throw new Error(`${method} ${url} came without the admin token`)
    return body === '' ? [service, method, url] : [service, method, url, JSON.parse(body)]
  }
}

async function runIn({ stdin = '', isTTY = false, env = {}, cwd = '/nowhere' }: World, args: readonly string[]): Promise<Ran> {
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
    stdin: Object.assign(input(), { isTTY }),
    stdout: { write: (text) => (written.out += text) },
    stderr: { write: (text) => (written.err += text) },
    now: () => new Date('2026-03-10T12:00:00Z'),
  }
  return { code: await runCommand(args, terminal), ...written }
}
