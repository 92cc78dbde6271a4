import { addAuditReads } from '@onward/access'

export const up = addAuditReads
