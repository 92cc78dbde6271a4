import type { ReactNode } from 'react'
import { SHELL_WORDS } from '../text/shell-words.ts'
import { buttonClass } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'
import { PageLink } from './links.tsx'

/** A page that does not exist. */
export function NotFound(): ReactNode {
  return (
    <Page title={SHELL_WORDS.notFound} about={SHELL_WORDS.notFoundHelp}>
      <div>
        <PageLink page="overview" className={buttonClass()}>
          {SHELL_WORDS.toOverview}
        </PageLink>
      </div>
    </Page>
  )
}
