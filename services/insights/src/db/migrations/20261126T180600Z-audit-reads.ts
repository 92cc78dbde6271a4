import { addAuditReads } from '@onward/runtime'

export const up = addAuditReads
