/** Whether a URL answers 200 within two seconds. */
export async function answers(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) })
    await answer.text()
    return answer.status === 200
  } catch {
    return false
  }
}
