import { request as httpRequest } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent } from 'undici'

/** A user of the application, with the Hash that authenticates it. */
type User = { readonly id: string; readonly hash: string; readonly appKey: string }
/** The URL of functions, and of the app that misbehaves. */
type Target = { readonly url: string; readonly appUrl: string }
/** Sends one request, and returns its status when it has ended. */
type Misbehave = (user: User, target: Target, agent: Agent) => Promise<number>
type Case = { readonly concurrency: number; readonly run: Misbehave }

/** `concurrency` requests are always in progress. */
export const CASES: Readonly<Record<string, Case>> = {
  slow: { concurrency: 1_000, run: post('noisy-slow') },
  files: { concurrency: 200, run: upload },
  huge: { concurrency: 120, run: post('noisy-huge') },
  stalled: { concurrency: 120, run: post('noisy-stalled') },
  unread: { concurrency: 120, run: leaveUnread },
  bodies: { concurrency: 120, run: post('noisy-slow', { text: 'x'.repeat(1_000_000) }) },
  prompts: { concurrency: 40, run: predict },
  failing: { concurrency: 200, run: post('noisy-failing') },
}

/** Pause of a caller after a request, and after a request refused with 429. */
const PAUSE_MS = 50
const REFUSED_PAUSE_MS = 1_000

/**
 * The users of one application misbehave, in a separate process, until it is ended. The message to the parent process says that they have
 * started.
 */
export async function callNoisily({ name, users, ...target }: { name: string; users: readonly User[] } & Target): Promise<void> {
  const chosen = CASES[name]
  if (chosen === undefined) throw new Error(`there is no case ${name}`)
  const { concurrency, run } = chosen
  const agent = new Agent({ connections: concurrency, connect: { timeout: 10_000 } })
  process.send?.('started')
  await Promise.all(
    Array.from({ length: concurrency }, async (_, n) => {
      for (;;) {
        const status = await run(users[n % users.length] as User, target, agent).catch(() => 0)
        await sleep(status === 429 ? REFUSED_PAUSE_MS : PAUSE_MS)
      }
    }),
  )
}

function headersOf({ id, hash, appKey }: User) {
  return { 'app-key': appKey, 'user-id': id, hash, 'content-type': 'application/json' }
}

function post(name: string, args: object = {}): Misbehave {
  const body = JSON.stringify(args)
  return (user, target, agent) => request(user, target, agent, `/functions/${name}/call`, body)
}

function upload(user: User, target: Target, agent: Agent): Promise<number> {
  const body = JSON.stringify({ file: { url: `${target.appUrl}/hanging` } })
  return request(user, target, agent, '/functions/noisy-upload/call', body)
}

const PROMPT = Array.from({ length: 1_000 }, (_, n) => `mail${n} it`)
  .join(' ')
  .slice(0, 10_000)

function predict(user: User, target: Target, agent: Agent): Promise<number> {
  return request(user, target, agent, '/functions/predict', JSON.stringify({ prompt: PROMPT, top_k: 20, predict_arguments: true }))
}

async function request(user: User, { url }: Target, agent: Agent, path: string, body: string): Promise<number> {
  const response = await agent.request({ origin: url, path, method: 'POST', headers: headersOf(user), body })
  for await (const _ of response.body);
  return response.statusCode
}

/** Calls for a huge response and reads none of it. Resolves when the server closes the connection. */
async function leaveUnread(user: User, { url }: Target): Promise<number> {
  return await new Promise((resolve) => {
    const sent = httpRequest(`${url}/functions/noisy-huge/call`, { method: 'POST', headers: headersOf(user), agent: false })
    let status = 0
    sent.on('error', () => {})
    sent.once('response', (response) => {
      status = response.statusCode ?? 0
      if (status !== 200) response.resume()
    })
    sent.once('close', () => resolve(status))
    sent.end('{}')
  })
}
