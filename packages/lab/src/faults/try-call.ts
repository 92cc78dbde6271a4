import type { Pool } from 'undici'
import { type Called, callFunction, type User } from '../rig/workspace.ts'

/** Longer than the deadlines of the service one after the other: two reads, the call attempt, and its record. */
const CALL_MS = 40_000

/** `failure` is undefined for 200. Otherwise it is the status and error code, or why there was no response; then the status is 0. */
export type Result = Called & { readonly failure: string | undefined }

/** Calls the function of a user once. Never throws. */
export async function tryCall(pool: Pool, user: User, key?: string): Promise<Result> {
  try {
    const called = await callFunction(pool, user, CALL_MS, key)
    return { ...called, failure: called.status === 200 ? undefined : `${called.status} ${codeOf(called.text)}` }
  } catch (err) {
    const { code, name } = err as { code?: unknown; name: string }
    return { status: 0, text: '', callId: '', retryAfter: '', failure: typeof code === 'string' ? code : name }
  }
}

function codeOf(text: string): string {
  try {
    return String((JSON.parse(text) as { code?: unknown }).code)
  } catch {
    return 'no JSON'
  }
}
