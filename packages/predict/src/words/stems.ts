import { stemmer } from 'stemmer'

/** Words that say nothing about which function is meant. */
const STOP_WORDS = new Set(
  (
    'a about after all also am an and any are as at be been but by can could did do does for from had has have he her hers him his how i if in ' +
    'into is it its just like may me might my need of on or our out please shall she should so some than that the their them then there these ' +
    'they this those to too up us want was we were what when where which who whom why will with would you your'
  ).split(' '),
)

/** The stems (Porter) of a text's words in order, identifiers split (`postMessage`, `post_message`), stop words left out. */
export function stems(text: string): string[] {
  return words(text)
    .filter((word) => !STOP_WORDS.has(word))
    .map((word) => stemmer(word))
}

/** The stems of a name with every word kept: what says nothing in a sentence tells `to` from `from` as a name. */
export function nameStems(name: string): string[] {
  return words(name).map((word) => stemmer(word))
}

function words(text: string): string[] {
  return text
    .normalize('NFKC')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}
