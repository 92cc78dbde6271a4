import { createHash } from 'node:crypto'

const MAX_NAME = 64

/** Joins words to the part of a function name after the app's; where it is too long, it is cut at a word and gets 4 digits of the key. */
export function fitName(app: string, words: readonly string[], key: string): string {
  const room = MAX_NAME - app.length - 1
  const whole = words.join('-')
  if (whole.length <= room) return whole
  const kept: string[] = []
  for (const word of words) {
    if ([...kept, word].join('-').length > room - 5) break
    kept.push(word)
  }
  return `${kept.length > 0 ? kept.join('-') : whole.slice(0, room - 5).replace(/-+$/, '')}-${digits(key)}`
}

/** 4 hex digits that are the operation's own. */
export function digits(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 4)
}
