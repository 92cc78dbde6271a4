import type { ApprovalBackground } from '@onward/contract'
import type { Approval } from '../db/approvals.ts'
import { namesOfIds } from './names-of-ids.ts'
import type { BackgroundParts } from './parts.ts'
import { presentObject } from './present-object.ts'

/** Reads from the user's app what helps to decide on a call. Nothing is read once somebody has decided. Never throws. */
export async function backgroundOf(parts: BackgroundParts, approval: Approval): Promise<ApprovalBackground> {
  if (approval.state !== 'pending') return { ids: [], now: null }
  const [ids, now] = await Promise.all([namesOfIds(parts, approval), presentObject(parts, approval)])
  return { ids, now }
}
