import { stem } from '../../words/stems.ts'

/** Stems of words that stand for one another where the names leave no doubt what is meant. */
const TEXTS = stemsOf('text body message content description notes note comment detail details html')
const TITLES = stemsOf('title subject headline summary topic name')
const AMOUNTS = stemsOf('amount value total price worth sum')
export const ALIKE: readonly ReadonlySet<string>[] = [TEXTS, TITLES, AMOUNTS]

/** What a variable of a person is mostly under. */
export const PERSONS = stemsOf(
  'person people user customer client contact lead member buyer subscriber guest attendee invitee registrant visitor employee requester ' +
    'reporter assignee recipient sender agent patient student candidate applicant caller author owner host participant signup prospect to from',
)
/** Who works on a thing, and is not whom it is for. */
export const STAFF = stemsOf('agent assignee owner host author admin')
export const COMPANIES = stemsOf('company account business vendor supplier merchant')
export const PLACES = stemsOf('office store shop branch warehouse support desk seller')
/** Steps and wrappers of forms and workflows, which say nothing about what is in them. */
export const WRAPPERS = stemsOf(
  'trigger form row data payload field fields answer answers input inputs record item event result step response json output values params ' +
    'properties attributes node variables entry submission body',
)
/** Names of what belongs to a person. */
export const PERSONAL = stemsOf('email phone first last')
/** Names that only tell together with what they are of. */
export const GENERIC = stemsOf(
  'name id title number type status state url description text note notes date tag tags value key label slug total address',
)
/** By which of its values a thing is known. */
export const KINDS = stemsOf('id iid key number name slug email path phone')
/** Verbs of functions that change what is there: what the variables hold of it is how it is now. */
export const CHANGES = stemsOf('update change set edit modify')

function stemsOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' ').map(stem))
}
