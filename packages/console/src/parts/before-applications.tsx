import type { ReactNode } from 'react'
import type { Reading } from '../api/queries.ts'
import { PageLink } from '../shell/links.tsx'
import { WORDS } from '../text/words.ts'
import { buttonClass } from '../ui/button.tsx'
import { Empty, type EmptyText } from '../ui/empty.tsx'
import { Page } from '../ui/page.tsx'
import { Failure } from '../ui/section.tsx'

/** What a page says in a workspace without applications. `help` says what the page needs one for. */
export function noApplications(help: string, icon?: ReactNode): EmptyText {
  return {
    icon,
    title: WORDS.applications.none,
    help,
    action: (
      <PageLink page="applications" className={buttonClass('accent')}>
        {WORDS.applications.goThere}
      </PageLink>
    ),
  }
}

type BeforeProps = { title: string; about: string; reading: Reading<unknown>; skeleton: ReactNode; empty: EmptyText }

/** Stands for a list of all applications while they are read, if they cannot be read, and if there are none. */
export function BeforeApplications({ title, about, reading: { data, error, loading, retry }, skeleton, empty }: BeforeProps): ReactNode {
  return (
    <Page title={title} about={about} width="full">
      {error !== undefined ? (
        <Failure title={title} error={error} busy={loading} retry={retry} />
      ) : data === undefined ? (
        skeleton
      ) : (
        <Empty {...empty} />
      )}
    </Page>
  )
}
