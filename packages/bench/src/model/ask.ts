import { request } from 'undici'

export type Answer = { readonly status: number; readonly body: unknown }

/** One request with a JSON body, if any. */
export async function ask(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  url: string,
  headers: Record<string, string>,
  body?: object,
): Promise<Answer> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const answer = await request(url, { method, headers: { 'content-type': 'application/json', ...headers }, ...sent })
  return { status: answer.statusCode, body: await answer.body.json() }
}
