import { openScriptedServer, type ScriptedServer, sendJson } from '@onward/testbed'
import { Onward, OnwardInsights, type OnwardOptions } from '../src/index.ts'

/** A response of the scripted server: status, body and headers. */
export type Scripted = readonly [status: number, body: unknown, headers?: Readonly<Record<string, string>>]

export const error = (code: string, message = 'it did not work', details: readonly string[] = []) => ({
  error: message,
  error_details: details,
  code,
})

/** A server that gives scripted answers, with clients for it. It is started anew before each test. */
export function useScripted() {
  let server: ScriptedServer

  beforeEach(async () => {
    server = await openScriptedServer()
  })

  afterEach(() => server.close())

  return {
    get server() {
      return server
    },
    /** Answers the next requests in this order, and all further ones like the last. */
    answers(...answers: readonly Scripted[]) {
      server.respond((_received, response) => {
        const [status, body, headers = {}] = answers[Math.min(server.received.length, answers.length) - 1] ?? [500, {}]
        for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
        sendJson(response, status, body)
      })
    },
    user: (options: OnwardOptions = {}, userId = 'joe@example.com') =>
      new Onward({ baseUrl: server.url, appKey: 'key', appSecret: 'secret', ...options }).forUser(userId),
    insights: () => new OnwardInsights({ baseUrl: server.url, apiKey: 'pk_1', appKey: 'key' }),
  }
}

/** Returns the error of a promise. Throws if there is none. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    () => {
      throw new Error('it did not fail')
    },
    (err: unknown) => err,
  )
}
