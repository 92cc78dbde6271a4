import type { ReactNode } from 'react'
import { NoContent } from '../../shell/no-content.tsx'

export function Page(): ReactNode {
  return <NoContent page="catalog" />
}
