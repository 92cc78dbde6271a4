import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import { Tag } from '../../ui/badge.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Copy } from '../../ui/copy-button.tsx'
import { Notice } from '../../ui/empty.tsx'
import { Card, Facts, Row, Stack } from '../../ui/page.tsx'
import styles from './catalog.module.css'
import type { AppDetail } from './types.ts'
import { CATALOG } from './words.ts'

const { signIn: words } = CATALOG

/** What to enter at the vendor for a client, after what to do there and what the vendor reviews. */
export function ClientHelp({ app, redirectUrl }: { app: AppDetail; redirectUrl: string }): ReactNode {
  const scopes = app.scopes.filter(({ asked }) => asked).map(({ name }) => name)
  const redirect = (
    <Row>
      <code className={styles.redirect}>{redirectUrl}</code>
      <Copy text={redirectUrl} what={words.redirect} label={words.copy} />
    </Row>
  )
  const names = (
    <Row gap={1}>
      {scopes.map((name) => (
        <Tag key={name}>{name}</Tag>
      ))}
      <Copy text={scopes.join(' ')} what={words.scopes} label={words.copy} />
    </Row>
  )
  return (
    <>
      {app.client_help !== null && <Steps app={app} help={app.client_help} />}
      <Facts facts={[[words.redirect, redirect], ...(scopes.length > 0 ? [[words.scopes, names] as const] : [])]} />
    </>
  )
}

/** Folded when there is a client. */
function Steps({ app, help }: { app: AppDetail; help: NonNullable<AppDetail['client_help']> }): ReactNode {
  return (
    <Card>
      <details className={styles.how} open={app.oauth_client === null}>
        <summary>{words.how(app.title)}</summary>
        <Stack gap={4}>
          <p>
            <Vendor url={help.url} className={buttonClass('plain')}>
              {words.form}
            </Vendor>
          </p>
          <ol className={styles.steps}>
            {help.steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          {help.review !== null && (
            <Notice tone="info" title={words.review}>
              {help.review}
            </Notice>
          )}
          <p className={styles.note}>
            <Vendor url={help.source}>{words.source}</Vendor>
          </p>
        </Stack>
      </details>
    </Card>
  )
}

function Vendor({ url, className, children }: { url: string; className?: string; children: ReactNode }): ReactNode {
  return (
    <a href={url} target="_blank" rel="noreferrer" className={className}>
      {children} <ExternalLink aria-hidden="true" className={styles.external} />
      <span className="hidden"> {words.newTab}</span>
    </a>
  )
}
