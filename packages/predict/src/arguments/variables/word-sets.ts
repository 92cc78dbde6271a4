import { stem } from '../../words/stems.ts'

/** Groups of stems that may replace each other in names. */
export const TEXTS = stemsOf('text body message content description notes note comment detail details html')
export const TITLES = stemsOf('title subject headline summary topic name')
const AMOUNTS = stemsOf('amount value total price worth sum')
export const ALIKE: readonly ReadonlySet<string>[] = [TEXTS, TITLES, AMOUNTS]

/** Objects that describe a person. */
export const PERSONS = stemsOf(
  'person people user customer client contact lead member buyer subscriber guest attendee invitee registrant visitor employee requester ' +
    'reporter assignee recipient sender agent patient student candidate applicant caller author owner host participant signup prospect to from',
)
/** Persons who work on a thing, but do not receive it. */
export const STAFF = stemsOf('agent assignee owner host author admin')
export const COMPANIES = stemsOf('company account business vendor supplier merchant')
export const PLACES = stemsOf('office store shop branch warehouse support desk seller')
/** Wrappers in forms and workflows, which say nothing about their content. */
export const WRAPPERS = stemsOf(
  'trigger form row data payload field fields answer answers input inputs record item event result step response json output values params ' +
    'properties attributes node variables entry submission body',
)
/** Names of properties that belong to a person. */
export const PERSONAL = stemsOf('email phone first last')
/** Names that have a meaning only together with their owner. */
export const GENERIC = stemsOf(
  'name id title number type status state url description text note notes date tag tags value key label slug total address',
)
/** Properties that identify a thing. */
export const KINDS = stemsOf('id iid key number name slug email path phone')
/** Verbs of functions that change existing things. The variables then hold the current state. */
export const CHANGES = stemsOf('update change set edit modify')

function stemsOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' ').map(stem))
}
