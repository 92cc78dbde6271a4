import type { ReactNode } from 'react'
import { useMay } from '../api/me.ts'
import { Notice } from '../ui/empty.tsx'

/** Says at the top of a page that one's role may not change what is on it. */
export function ReadOnly(): ReactNode {
  const { why } = useMay('developer')
  return why === undefined ? null : <Notice tone="info">{why}</Notice>
}
