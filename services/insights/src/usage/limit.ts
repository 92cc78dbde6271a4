export type UserLimit = { readonly ownLimit: number | null; readonly limitSeq: number }
export type BulkLimit = { readonly bulkLimit: number | null; readonly bulkSeq: number }

/** The limit that holds for a user: the newer of own and bulk. Null while nobody knows whose application it is. */
export function effectiveLimit({ ownLimit, limitSeq }: UserLimit, partner: BulkLimit | undefined): number | null {
  if (partner === undefined) return null
  return partner.bulkSeq > limitSeq ? partner.bulkLimit : ownLimit
}
