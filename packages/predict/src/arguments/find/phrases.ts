import type { Word } from '../prompt/words-of.ts'
import type { Found } from './found.ts'
import { isGrammar } from './grammar.ts'

const MOST_WORDS = 7

/** Runs of words with no word of grammar and nothing taken between them: "criminal judicial decisions", "boiling water reactor". */
export function findPhrases(words: readonly Word[], taken: readonly Found[]): Found[] {
  const found: Found[] = []
  let run: Word[] = []
  for (const [at, word] of words.entries()) {
    const opens = at === 0 || /[.!?]\s/.test(word.before)
    const verb = /\p{L}{3}ed$/u.test(word.lower) && /^(?:by|as|on|at|in|to|for|with|from)$/.test(words[at + 1]?.lower ?? '')
    const idle = opens || verb || isGrammar(word.lower) || taken.some(({ start, end }) => word.start >= start && word.end <= end)
    if (run.length > 0 && (!/^[ \-/&']$/.test(word.before) || idle)) close()
    if (!idle) run.push(word)
  }
  close()
  return found

  function close(): void {
    const [first, last] = [run[0], run.at(-1)]
    if (first !== undefined && last !== undefined && run.length <= MOST_WORDS) {
      const text = run.map((word, n) => (n === 0 ? '' : word.before) + word.text).join('')
      if (/\p{L}/u.test(text)) found.push({ kind: 'phrase', text, start: first.start, end: last.end })
    }
    run = []
  }
}
