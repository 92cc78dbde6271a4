import { stem } from '../../src/words/stem.ts'
import { verbClasses } from '../../src/words/verb-classes.ts'

/** The most frequent words say little of what is asked for. */
const FIRST = 60

/** Sentences like those that people ask with, of the lexicon's groups and of any word of a list (the most frequent first). They need not make sense: they teach how words weigh against each other. */
export function madeUpSentences(count: number, groups: readonly string[][], wordList: readonly string[], draw: () => number): string[] {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(draw() * from.length)] as T
  const asks = (word: string) => verbClasses([stem(word)]) !== 0
  const verbs = groups.flat().filter(asks)
  const things = groups.filter(([first = '']) => !asks(first))
  const any = () => wordList[FIRST + Math.floor(draw() * (wordList.length - FIRST))] as string
  const frequent = () => wordList[Math.floor(FIRST * (wordList.length / FIRST) ** draw())] as string
  const verb = () => pick(verbs)
  const thing = () => (draw() < 0.8 ? pick(pick(things)) : frequent())
  const forms = [
    () => `${verb()} ${thing()}`,
    () => `${any()} ${thing()}`,
    () => `${verb()} ${any()} ${thing()}`,
    () => `the ${any()} ${any()} of ${thing()}`,
    () => `${thing()} for ${any()} and ${frequent()}`,
    () => `${verb()} ${thing()} and ${thing()} by ${thing()}`,
    () => `${verb()} a ${thing()} about ${any()} ${frequent()}`,
    () => `Can you ${verb()} the ${thing()} ${thing()} for me?`,
    () => `I need to ${verb()} a ${thing()} for my ${thing()}.`,
    () => `What is the ${thing()} of the ${thing()} in ${any()}?`,
    () => `What is the best ${frequent()} ${thing()}?`,
    () => `How do I ${verb()} ${thing()} from ${thing()}?`,
    () => `How can I ${frequent()} a ${any()} ${thing()}?`,
    () => `A ${thing()} tool that helps you ${verb()} ${thing()} and ${thing()}.`,
    () => `Are there any ${frequent()} ${thing()} related to ${any()}?`,
    () => `Find ${frequent()} ${thing()} with ${any()}`,
    () => `My ${thing()} is ${any()}, please ${verb()} it.`,
    () => `Recommend some ${frequent()} ${thing()} for ${any()} ${thing()}`,
    () => alike((one, other) => `I'm looking for ${one} about ${any()}, do you have any ${frequent()} ${other}?`),
    () => alike((one, other) => `${verb()} and ${verb()} ${one}, ${other} or ${thing()} with ${frequent()} ${thing()}.`),
  ]
  return Array.from({ length: count }, () => pick(forms)())

  function alike(say: (one: string, other: string) => string): string {
    const group = pick(things)
    return say(pick(group), pick(group))
  }
}
