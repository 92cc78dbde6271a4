import type { Answer, getWorkspace, listMembers, listSessions } from '@onward/contract'

export type WorkspaceAnswer = Answer<typeof getWorkspace>
export type Member = Answer<typeof listMembers>['members'][number]
export type SessionsAnswer = Answer<typeof listSessions>
/** A session of a browser, or a token of a program. */
export type Session = SessionsAnswer['sessions'][number]
