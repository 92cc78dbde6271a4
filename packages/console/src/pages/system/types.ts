import type { ResponseOf, readSystem } from '@onward/contract'
import type { TEXT } from './words.ts'

/** The state of a service, as it says itself. */
export type ServiceState = ResponseOf<typeof readSystem>

export type ServiceName = keyof typeof TEXT.services
