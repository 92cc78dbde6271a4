/** The texts of the built-in app files, by the English text. */
export const texts: Readonly<Record<string, string>> = {
  'Access token': 'アクセストークン',
  'The token that the app gave for its API.': 'アプリの API 用に発行されたトークンです。',
  'API key': 'API キー',
  'The key that the app gave for its API.': 'アプリの API 用に発行されたキーです。',
  'User name': 'ユーザー名',
  'The name that the app takes for basic authentication.': 'アプリの Basic 認証で使う名前です。',
  Password: 'パスワード',
  'The password that goes with the user name.': 'このユーザー名のパスワードです。',
  'Client id': 'クライアント ID',
  'The id of the client that the app made for you.': 'アプリで作成されたクライアントの ID です。',
  'Client secret': 'クライアントシークレット',
  'The secret that came with the client id.': 'クライアント ID と一緒に発行されたシークレットです。',
  'API token': 'API トークン',
  'Email address': 'メールアドレス',
  Email: 'メールアドレス',
  Site: 'サイト',
  'API address': 'API のアドレス',
  'Application key': 'アプリケーションキー',
  'Bot token': 'ボットのトークン',
  Domain: 'ドメイン',
  Server: 'サーバー',
  'Data centre': 'データセンター',
  Environment: '環境',
  Region: 'リージョン',
  Host: 'ホスト',
  'Instance URL': 'インスタンスの URL',
  'Login host': 'ログイン先のホスト',
  Shop: 'ショップ',
  Token: 'トークン',
  'Account SID': 'Account SID',
  'WhatsApp Business account id': 'WhatsApp Business アカウントの ID',
  'Application password': 'アプリケーションパスワード',
  'Site address': 'サイトのアドレス',
  Subdomain: 'サブドメイン',
  'The email address that you sign in to Confluence with.': 'Confluence へのログインに使うメールアドレスです。',
  'The first part of your Confluence address: acme of acme.atlassian.net.':
    'Confluence のアドレスの最初の部分です。acme.atlassian.net なら acme です。',
  'Address of the API of your Datadog site, such as https://api.datadoghq.com or https://api.datadoghq.eu.':
    'ご利用の Datadog サイトの API のアドレスです。例: https://api.datadoghq.com、https://api.datadoghq.eu',
  'First part of your Freshdesk address: acme in acme.freshdesk.com.':
    'Freshdesk のアドレスの最初の部分です。acme.freshdesk.com なら acme です。',
  'Address of your GitLab server.': 'GitLab サーバーのアドレスです。',
  'The email address that you sign in to Jira with.': 'Jira へのログインに使うメールアドレスです。',
  'The first part of your Jira address: acme of acme.atlassian.net.':
    'Jira のアドレスの最初の部分です。acme.atlassian.net なら acme です。',
  'The end of your API key, after the hyphen, such as us6.': 'API キーの末尾の、ハイフンより後の部分です。例: us6',
  'api-m for real payments, or api-m.sandbox for an app from the Sandbox tab.':
    '実際の支払いには api-m、「Sandbox」タブのアプリには api-m.sandbox を入力します。',
  'us or eu: the first part of your PostHog address.': 'us または eu です。PostHog のアドレスの最初の部分にあたります。',
  'quickbooks for a real company, or sandbox-quickbooks for one of a developer.':
    '実際の会社には quickbooks、開発者用の会社には sandbox-quickbooks を入力します。',
  'Address of your Salesforce organisation, such as https://acme.my.salesforce.com: in Salesforce, Setup, My Domain.':
    'Salesforce 組織のアドレスです。例: https://acme.my.salesforce.com。Salesforce の「Setup」、「My Domain」で確認できます。',
  'An OAuth access token of your organisation, such as sf org display --verbose shows. It works until your session ends.':
    '組織の OAuth アクセストークンです。sf org display --verbose で表示できます。セッションが終わるまで有効です。',
  'Where you sign in, without .salesforce.com: login, test for a sandbox, or your own domain, such as acme.my.':
    'ログイン先から .salesforce.com を除いた部分です。通常は login、Sandbox では test、独自のドメインでは acme.my のように入力します。',
  "First part of your shop's address: acme in acme.myshopify.com.":
    'ショップのアドレスの最初の部分です。acme.myshopify.com なら acme です。',
  'api, or api.eu for a workspace in the EU.': 'api です。ワークスペースが EU にある場合は api.eu です。',
  'On business.facebook.com/settings, under Accounts, WhatsApp accounts, your account: the number after ID.':
    'business.facebook.com/settings の「Accounts」、「WhatsApp accounts」でご自身のアカウントを開くと表示される、「ID」の後の番号です。',
  'Address of the site, such as https://example.com/blog.': 'サイトのアドレスです。例: https://example.com/blog',
  'The name that you sign in to the site with.': 'サイトへのログインに使う名前です。',
  'Email address of the Zendesk user whose rights are used.': '権限を使用する Zendesk ユーザーのメールアドレスです。',
  'First part of your Zendesk address: acme in acme.zendesk.com.': 'Zendesk のアドレスの最初の部分です。acme.zendesk.com なら acme です。',
  'Open airtable.com/create/tokens and choose Create token. Add the scopes for records, comments, the schema of bases, and user.email:read, and the bases to work with. The token begins with pat.':
    'airtable.com/create/tokens を開き、「Create token」を選択します。レコード、コメント、ベースのスキーマのスコープと user.email:read、および使用するベースを追加します。トークンは pat で始まります。',
  'Open platform.claude.com, then Settings, API keys, Create key. The key begins with sk-ant- and is shown only once.':
    'platform.claude.com を開き、「Settings」、「API keys」、「Create key」と進みます。キーは sk-ant- で始まり、一度だけ表示されます。',
  'Open app.asana.com/0/my-apps. Under Personal access tokens, choose Create new token. It is shown only once.':
    'app.asana.com/0/my-apps を開き、「Personal access tokens」で「Create new token」を選択します。トークンは一度だけ表示されます。',
  'In Attio, open Workspace settings, Developers, and add an access token with the scopes that you need.':
    'Attio で「Workspace settings」、「Developers」を開き、必要なスコープを持つアクセストークンを追加します。',
  'Open app.box.com/developers/console, your app, Configuration, and choose Generate Developer Token. Such a token works for one hour.':
    'app.box.com/developers/console でご自身のアプリの「Configuration」を開き、「Generate Developer Token」を選択します。このトークンは 1 時間有効です。',
  'In Brevo, open the menu of your account, SMTP & API, API keys, and generate a key. It begins with xkeysib- and is shown only once.':
    'Brevo でアカウントのメニューから「SMTP & API」、「API keys」を開き、キーを生成します。キーは xkeysib- で始まり、一度だけ表示されます。',
  'In Cal.com, open Settings, Developer, API keys, and add a key. It begins with cal_ and is shown only once.':
    'Cal.com で「Settings」、「Developer」、「API keys」を開き、キーを追加します。キーは cal_ で始まり、一度だけ表示されます。',
  'Open calendly.com/integrations/api_webhooks. Under Personal access tokens, choose Generate new token. It is shown only once.':
    'calendly.com/integrations/api_webhooks を開き、「Personal access tokens」で「Generate new token」を選択します。トークンは一度だけ表示されます。',
  'In ClickUp, click your avatar, then Settings, Apps. Under API Token, choose Generate. The token begins with pk_.':
    'ClickUp でアバターをクリックし、「Settings」、「Apps」を開きます。「API Token」で「Generate」を選択します。トークンは pk_ で始まります。',
  'Open id.atlassian.com/manage-profile/security/api-tokens and choose Create API token, without scopes. It is shown only once.':
    'id.atlassian.com/manage-profile/security/api-tokens を開き、「Create API token」(スコープなし) を選択します。トークンは一度だけ表示されます。',
  'In Datadog, open Organization Settings, API Keys.': 'Datadog で「Organization Settings」、「API Keys」を開きます。',
  'In Datadog, open Organization Settings, Application Keys, New Key. It is shown only once.':
    'Datadog で「Organization Settings」、「Application Keys」、「New Key」と進みます。キーは一度だけ表示されます。',
  'Open discord.com/developers/applications, your application, Bot, and choose Reset Token. It is shown only once.':
    'discord.com/developers/applications でご自身のアプリケーションの「Bot」を開き、「Reset Token」を選択します。トークンは一度だけ表示されます。',
  'Open dropbox.com/developers/apps, your app, Settings. Under Generated access token, choose Generate. Such a token works for four hours.':
    'dropbox.com/developers/apps でご自身のアプリの「Settings」を開き、「Generated access token」で「Generate」を選択します。このトークンは 4 時間有効です。',
  'In ElevenLabs, open Developers, API Keys, and create a key. It is shown only once.':
    'ElevenLabs で「Developers」、「API Keys」を開き、キーを作成します。キーは一度だけ表示されます。',
  'Sign in at dashboard.exa.ai and create a key under API Keys.': 'dashboard.exa.ai にログインし、「API Keys」でキーを作成します。',
  'In Figma, open Settings, Security, and generate a personal access token with the scopes that you need. It is shown only once.':
    'Figma で「Settings」、「Security」を開き、必要なスコープを持つ個人用アクセストークンを生成します。トークンは一度だけ表示されます。',
  'Sign in at firecrawl.dev and copy the key under API Keys. It begins with fc-.':
    'firecrawl.dev にログインし、「API Keys」のキーをコピーします。キーは fc- で始まります。',
  'In Freshdesk, click your profile picture at the top right, then Profile settings, and View API key.':
    'Freshdesk で右上のプロフィール画像をクリックし、「Profile settings」、「View API key」と進みます。',
  'Open github.com/settings/tokens and generate a token with the scopes repo and read:user, or a fine-grained one. It begins with ghp_ or github_pat_.':
    'github.com/settings/tokens を開き、スコープ repo と read:user を持つトークン、または「fine-grained」トークンを生成します。トークンは ghp_ または github_pat_ で始まります。',
  'In GitLab, click your avatar, then Edit profile, Access tokens, Add new token, with the scope api. It begins with glpat-.':
    'GitLab でアバターをクリックし、「Edit profile」、「Access tokens」、「Add new token」と進み、スコープ api を選択します。トークンは glpat- で始まります。',
  'In HubSpot, open Development, Keys, Service keys, Create service key. Add the scopes for contacts, companies, deals, owners and tickets.':
    'HubSpot で「Development」、「Keys」、「Service keys」、「Create service key」と進みます。コンタクト、会社、取引、担当者、チケットのスコープを追加します。',
  'In Intercom, open Settings, Integrations, Developer Hub, your app, then Configure, Authentication, Access token.':
    'Intercom で「Settings」、「Integrations」、「Developer Hub」からご自身のアプリを開き、「Configure」、「Authentication」、「Access token」と進みます。',
  'In Klaviyo, open Settings, API keys, and create a private API key. It begins with pk_ and is shown only once.':
    'Klaviyo で「Settings」、「API keys」を開き、非公開の API キー (private API key) を作成します。キーは pk_ で始まり、一度だけ表示されます。',
  'In Linear, open Settings, Security & access. Under Personal API keys, choose New API key. It begins with lin_api_.':
    'Linear で「Settings」、「Security & access」を開き、「Personal API keys」で「New API key」を選択します。キーは lin_api_ で始まります。',
  'In Mailchimp, click your profile, then Account & billing, Extras, API keys, Create A Key. It is shown only once.':
    'Mailchimp でプロフィールをクリックし、「Account & billing」、「Extras」、「API keys」、「Create A Key」と進みます。キーは一度だけ表示されます。',
  'In monday.com, click your profile picture, then Developers, My access tokens, Show.':
    'monday.com でプロフィール画像をクリックし、「Developers」、「My access tokens」、「Show」と進みます。',
  'Open notion.so/profile/integrations, your internal integration, and copy its secret. It begins with ntn_. Then add the integration to your pages: the menu with three dots, Connections.':
    'notion.so/profile/integrations でご自身の内部インテグレーションを開き、シークレットをコピーします。シークレットは ntn_ で始まります。次に、お使いのページの 3 点メニューの「Connections」でインテグレーションを追加します。',
  'Open platform.openai.com/api-keys and choose Create new secret key. It begins with sk- and is shown only once.':
    'platform.openai.com/api-keys を開き、「Create new secret key」を選択します。キーは sk- で始まり、一度だけ表示されます。',
  'In PagerDuty, click your picture, then My Profile, User Settings, Create API User Token. It is shown only once.':
    'PagerDuty でご自身の画像をクリックし、「My Profile」、「User Settings」、「Create API User Token」と進みます。トークンは一度だけ表示されます。',
  'Open developer.paypal.com/dashboard/applications/live and your app. The client id is under API credentials.':
    'developer.paypal.com/dashboard/applications/live でご自身のアプリを開きます。クライアント ID は「API credentials」にあります。',
  'On the same page, under the client id: choose Show.': '同じページのクライアント ID の下にある「Show」を選択します。',
  'Sign in at console.perplexity.ai and create a key under API keys. It begins with pplx-.':
    'console.perplexity.ai にログインし、「API keys」でキーを作成します。キーは pplx- で始まります。',
  'In Pipedrive, click your picture at the top right, then Personal preferences, API.':
    'Pipedrive で右上のご自身の画像をクリックし、「Personal preferences」、「API」と進みます。',
  'In PostHog, open Settings, Personal API keys, and create a key with the scopes that you need. It begins with phx_ and is shown only once.':
    'PostHog で「Settings」、「Personal API keys」を開き、必要なスコープを持つキーを作成します。キーは phx_ で始まり、一度だけ表示されます。',
  'Open resend.com/api-keys and choose Create API Key, with full access. It begins with re_ and is shown only once.':
    'resend.com/api-keys を開き、「Create API Key」をフルアクセス (「Full access」) で選択します。キーは re_ で始まり、一度だけ表示されます。',
  'In SendGrid, open Settings, API Keys, Create API Key, with full access. It begins with SG. and is shown only once.':
    'SendGrid で「Settings」、「API Keys」、「Create API Key」と進み、フルアクセス (「Full Access」) を選択します。キーは SG. で始まり、一度だけ表示されます。',
  'Open sentry.io/settings/account/api/auth-tokens and choose Create New Token. It begins with sntryu_ and is shown only once.':
    'sentry.io/settings/account/api/auth-tokens を開き、「Create New Token」を選択します。トークンは sntryu_ で始まり、一度だけ表示されます。',
  "In your shop's admin, open Settings, Apps, Develop apps, your app, API credentials. Copy the Admin API access token, which begins with shpat_. Only apps made before 2026 have one.":
    'ショップの管理画面で「Settings」、「Apps」、「Develop apps」からご自身のアプリの「API credentials」を開き、shpat_ で始まる「Admin API access token」をコピーします。このトークンがあるのは 2026 年より前に作成されたアプリだけです。',
  'Open api.slack.com/apps, your app, OAuth & Permissions. Copy the Bot User OAuth Token, which begins with xoxb-.':
    'api.slack.com/apps でご自身のアプリの「OAuth & Permissions」を開き、xoxb- で始まる「Bot User OAuth Token」をコピーします。',
  'Open dashboard.stripe.com/apikeys and copy the secret key, or create a restricted key. It begins with sk_ or rk_.':
    'dashboard.stripe.com/apikeys を開き、シークレットキーをコピーするか、制限付きキーを作成します。キーは sk_ または rk_ で始まります。',
  'Open supabase.com/dashboard/account/tokens and generate an access token. It begins with sbp_ and is shown only once.':
    'supabase.com/dashboard/account/tokens を開き、アクセストークンを生成します。トークンは sbp_ で始まり、一度だけ表示されます。',
  'Sign in at app.tavily.com and copy the API key. It begins with tvly-.':
    'app.tavily.com にログインし、API キーをコピーします。キーは tvly- で始まります。',
  'In Telegram, write /mybots to @BotFather, then choose your bot and API Token. It looks like 123456:ABC-DEF.':
    'Telegram で @BotFather に /mybots と送り、ご自身のボットと「API Token」を選択します。トークンは 123456:ABC-DEF のような形式です。',
  'In Todoist, open Settings, Integrations, Developer, and copy the API token.':
    'Todoist で「Settings」、「Integrations」、「Developer」を開き、API トークンをコピーします。',
  'Open trello.com/power-ups/admin, your Power-Up, API key.': 'trello.com/power-ups/admin でご自身の Power-Up の「API key」を開きます。',
  'On the same page, follow the link Token beside the API key, and choose Allow.':
    '同じページで API キーの横にある「Token」のリンクを開き、「Allow」を選択します。',
  'On the home page of console.twilio.com, under Account Info. It begins with AC.':
    'console.twilio.com のホームページの「Account Info」にあります。AC で始まります。',
  'The Auth Token from the home page of console.twilio.com; or the secret of the API key.':
    'console.twilio.com のホームページにある「Auth Token」、または API キーのシークレットです。',
  'The Account SID, which begins with AC; or the SID of an API key, which begins with SK.':
    'AC で始まる「Account SID」、または SK で始まる API キーの SID です。',
  'In Typeform, open the menu of your account, then Your settings, Personal tokens, Generate a new token. It begins with tfp_ and is shown only once.':
    'Typeform でアカウントのメニューから「Your settings」、「Personal tokens」、「Generate a new token」と進みます。トークンは tfp_ で始まり、一度だけ表示されます。',
  'In Webflow, open Site settings, Apps & integrations, API access, Generate API token. It works for this one site.':
    'Webflow で「Site settings」、「Apps & integrations」、「API access」、「Generate API token」と進みます。トークンが有効なのはこのサイトだけです。',
  'Open business.facebook.com/settings, then Users, System users, Generate new token, with whatsapp_business_management and whatsapp_business_messaging.':
    'business.facebook.com/settings を開き、「Users」、「System users」、「Generate new token」と進み、whatsapp_business_management と whatsapp_business_messaging を選択します。',
  "In your site's admin, open Users, Profile, Application Passwords. Enter a name and choose Add New Application Password.":
    'サイトの管理画面で「Users」、「Profile」、「Application Passwords」を開きます。名前を入力し、「Add New Application Password」を選択します。',
  'A token that you already have. Zendesk makes no new ones. The list is in Admin Center, Apps and integrations, APIs.':
    'すでにお持ちのトークンです。Zendesk では新しいトークンを作成できません。一覧は「Admin Center」、「Apps and integrations」、「APIs」にあります。',
  'Open coda.io/account. Under API settings, choose Generate API token. It is shown only once.':
    'coda.io/account を開き、「API settings」で「Generate API token」を選択します。トークンは一度だけ表示されます。',
  'In Fireflies, open Integrations, Fireflies API, and copy the API key.':
    'Fireflies で「Integrations」、「Fireflies API」を開き、API キーをコピーします。',
  Instance: 'インスタンス',
  'Account identifier': 'アカウント識別子',
  'The email address of your Atlassian account.': 'Atlassian アカウントのメールアドレスです。',
  'The first part of your ServiceNow address: acme of acme.service-now.com.':
    'ServiceNow のアドレスの最初の部分です。acme.service-now.com なら acme です。',
  'The name with which a ServiceNow user who may use REST signs in.': 'REST の使用を許可された ServiceNow ユーザーのログイン名です。',
  'The password of a ServiceNow user who may use REST, such as a user for integrations.':
    'REST の使用を許可された ServiceNow ユーザー (連携用のユーザーなど) のパスワードです。',
  'In Apollo, open Settings, Integrations, API Keys, and create a key. Some functions need a master key.':
    'Apollo で「Settings」、「Integrations」、「API Keys」を開き、キーを作成します。一部の機能には「master key」が必要です。',
  'Open id.atlassian.com/manage-profile/security/api-tokens, choose Create API token with scopes, and the app Bitbucket. It is shown only once.':
    'id.atlassian.com/manage-profile/security/api-tokens を開き、「Create API token with scopes」とアプリ Bitbucket を選択します。トークンは一度だけ表示されます。',
  'In Bitbucket, open the settings of the workspace or repository, Access tokens, and create one. It is shown only once.':
    'Bitbucket でワークスペースまたはリポジトリの設定から「Access tokens」を開き、トークンを作成します。トークンは一度だけ表示されます。',
  'Open console.cloud.google.com/google/maps-apis/credentials and create an API key for the Places, Routes and Address Validation APIs.':
    'console.cloud.google.com/google/maps-apis/credentials を開き、「Places」、「Routes」、「Address Validation」の各 API 用の API キーを作成します。',
  'In Snowsight, open your profile, Settings, Authentication, and generate a programmatic access token. It is shown only once.':
    'Snowsight でプロフィールの「Settings」、「Authentication」を開き、「programmatic access token」を生成します。トークンは一度だけ表示されます。',
  'In Snowsight, open the account menu, View account details, and copy the account identifier with a hyphen, such as acme-eu1.':
    'Snowsight でアカウントメニューの「View account details」を開き、ハイフン付きのアカウント識別子 (例: acme-eu1) をコピーします。',
  'Open developer.squareup.com/apps, choose your application, and copy the production access token.':
    'developer.squareup.com/apps を開き、ご自身のアプリケーションを選択して、「Production」のアクセストークンをコピーします。',
  'See, add, change and delete what you can in Asana': 'Asana でご自身がアクセスできるすべての項目の表示、追加、変更、削除',
  'See, add, change and delete your files and folders': 'ファイルとフォルダの表示、追加、変更、削除',
  'See who you are': 'ご本人の情報の表示',
  'See your event types': 'イベントタイプの表示',
  'Add, change and delete event types': 'イベントタイプの追加、変更、削除',
  'See bookings': '予約の表示',
  'Make, move, confirm and cancel bookings': '予約の作成、日時の変更、確定、キャンセル',
  'See your hours': '対応可能な時間帯の表示',
  'Change your hours': '対応可能な時間帯の変更',
  'Keep the access until you end it': '解除されるまでのアクセスの維持',
  'See who you are, and search pages': 'ご本人の情報の表示とページの検索',
  'See spaces': 'スペースの表示',
  'See pages and their labels': 'ページとラベルの表示',
  'Add and change pages': 'ページの追加と変更',
  'Move pages to the trash': 'ページのゴミ箱への移動',
  'See comments': 'コメントの表示',
  'Add comments': 'コメントの追加',
  'See the files on pages': 'ページ上のファイルの表示',
  'See tasks': 'タスクの表示',
  'Tick tasks off': 'タスクの完了',
  'See your name and e-mail address': '名前とメールアドレスの表示',
  'See the names of your files and folders': 'ファイルとフォルダの名前の表示',
  'Read your files': 'ファイルの読み取り',
  'Add, change and delete your files': 'ファイルの追加、変更、削除',
  'See what you share and with whom': '共有している項目と共有相手の表示',
  'Share your files and folders': 'ファイルとフォルダの共有',
  'See your name, email address and picture': '名前、メールアドレス、画像の表示',
  'See projects and their files': 'プロジェクトとそのファイルの表示',
  'Read files, and render frames as images': 'ファイルの読み取りと、フレームの画像への書き出し',
  'See what files are called and who changed them': 'ファイル名と変更者の表示',
  'See the versions of files': 'ファイルのバージョンの表示',
  'Add and delete comments': 'コメントの追加と削除',
  'See the components and styles of files': 'ファイルのコンポーネントとスタイルの表示',
  'See the dev resources of files': 'ファイルの「Dev resources」の表示',
  'Add dev resources to files': 'ファイルへの「Dev resources」の追加',
  'Read and change your repositories, also private ones': 'リポジトリの読み取りと変更 (非公開のものを含む)',
  'See your profile': 'プロフィールの表示',
  'See and change everything that you can in GitLab': 'GitLab でご自身がアクセスできるすべての項目の表示と変更',
  'Read, write, send and move your e-mail to the trash': 'メールの閲覧、作成、送信、ゴミ箱への移動',
  'See, change, share and delete your calendars and events': 'カレンダーと予定の表示、変更、共有、削除',
  'See, add, change and delete your Google Docs documents': 'Google ドキュメントのファイルの表示、作成、変更、削除',
  'See and change the files that you open with this app': 'このアプリで開くファイルの表示と変更',
  'See, add, change and delete your files': 'ファイルの表示、追加、変更、削除',
  'See, add, change and delete your spreadsheets': 'スプレッドシートの表示、作成、変更、削除',
  'See, add, change and delete your tasks': 'タスクの表示、追加、変更、削除',
  'See contacts': 'コンタクトの表示',
  'Add, change and delete contacts': 'コンタクトの追加、変更、削除',
  'See companies': '会社の表示',
  'Add, change and delete companies': '会社の追加、変更、削除',
  'See deals': '取引の表示',
  'Add, change and delete deals': '取引の追加、変更、削除',
  'See who owns contacts, companies and deals': 'コンタクト、会社、取引の担当者の表示',
  'See, add, change and delete tickets': 'チケットの表示、追加、変更、削除',
  'See people and their profiles': 'ユーザーとそのプロフィールの表示',
  'See projects and issues': 'プロジェクトと課題の表示',
  'Add and change issues and comments': '課題とコメントの追加と変更',
  'See boards and sprints': 'ボードとスプリントの表示',
  'Change sprints and what is in them': 'スプリントとその内容の変更',
  'See your account': 'アカウントの表示',
  'See profiles of customers': '顧客のプロフィールの表示',
  'Add and change profiles': 'プロフィールの追加と変更',
  'See lists': 'リストの表示',
  'Add and change lists, and who is on them': 'リストとそのメンバーの追加と変更',
  'See segments': 'セグメントの表示',
  'Subscribe and unsubscribe people': '配信の登録と登録解除',
  'See which kinds of events there are': 'イベントの種類の表示',
  'See events': 'イベントの表示',
  'Add events': 'イベントの追加',
  'See campaigns': 'キャンペーンの表示',
  'See flows': 'フローの表示',
  'Switch flows on and off': 'フローの有効化と無効化',
  'See templates': 'テンプレートの表示',
  'See your issues, projects and teams': 'イシュー、プロジェクト、チームの表示',
  'Add and change issues, projects and comments': 'イシュー、プロジェクト、コメントの追加と変更',
  'See the names of people in your organisation': '組織内のユーザーの名前の表示',
  'See your teams and channels': 'チームとチャネルの表示',
  'Send messages to channels': 'チャネルへのメッセージの送信',
  'Read and send chat messages': 'チャットメッセージの閲覧と送信',
  'See, add and change online meetings': 'オンライン会議の表示、追加、変更',
  'Read, change and delete your e-mail': 'メールの閲覧、変更、削除',
  'Send e-mail as you': 'ご本人としてのメールの送信',
  'See, add, change and delete events of your calendars': 'カレンダーの予定の表示、追加、変更、削除',
  'See, add, change and delete your contacts': '連絡先の表示、追加、変更、削除',
  'Send messages': 'メッセージの送信',
  'See conversations and who is in them': '会話とその参加者の表示',
  'Read messages': 'メッセージの閲覧',
  'Join public channels': 'パブリックチャンネルへの参加',
  'Create and change conversations': '会話の作成と変更',
  'Add and remove reactions': 'リアクションの追加と削除',
  'Search messages': 'メッセージの検索',
  'See the people of the workspace and their e-mail addresses': 'ワークスペースのメンバーとそのメールアドレスの表示',
  'See, add and change your tasks, projects and comments': 'タスク、プロジェクト、コメントの表示、追加、変更',
  'Delete your tasks, projects and comments': 'タスク、プロジェクト、コメントの削除',
  'See, change and delete your YouTube videos, playlists, ratings and comments':
    'YouTube の動画、再生リスト、評価、コメントの表示、変更、削除',
  'See, change and delete your data in BigQuery': 'BigQuery のデータの表示、変更、削除',
  'Send, see and void your envelopes': 'エンベロープの送信、表示、無効化',
  'Create meeting spaces, and see and change those': '会議スペースの作成と、作成したスペースの表示、変更',
  'See your meetings': '会議の表示',
  'See your name and picture': '名前と写真の表示',
  'See your email address': 'メールアドレスの表示',
  'Post, comment and react for you': 'ご本人としての投稿、コメント、リアクション',
  'See your business and its locations': 'ビジネスと店舗の表示',
  'See payments and refunds': '決済と払い戻しの表示',
  'Take, cancel and refund payments': '決済の受け付け、キャンセル、払い戻し',
  'See customers': '顧客の表示',
  'Add and change customers': '顧客の追加と変更',
  'See orders': '注文の表示',
  'Add orders and payment links': '注文と支払いリンクの追加',
  'See invoices': '請求書の表示',
  'Add, send and cancel invoices': '請求書の追加、送信、キャンセル',
  'See the items that you sell': '販売している商品の表示',
  'See your stock': '在庫の表示',
  'See all posts that you can see': 'ご自身が表示できるすべてのポストの表示',
  'Post and repost for you': 'ご本人としてのポストとリポスト',
  'See who you are and other accounts': 'ご本人の情報と他のアカウントの表示',
  'See whom you follow and who follows you': 'フォロー中とフォロワーの表示',
  'Follow and unfollow accounts for you': 'ご本人としてのアカウントのフォローとフォロー解除',
  'See posts that you like': 'いいねしたポストの表示',
  'Like posts for you': 'ご本人としてのポストへのいいね',
  'See your bookmarks': 'ブックマークの表示',
  'Add and delete bookmarks': 'ブックマークの追加と削除',
  'Read your direct messages': 'ダイレクトメッセージの閲覧',
  'Send direct messages for you': 'ご本人としてのダイレクトメッセージの送信',
  'See, add, change and delete records': 'データの表示、追加、変更、削除',
  'See which kinds of records there are': 'データの種類の表示',
  'See which fields records have': 'データの項目の表示',
  'See users': 'ユーザーの表示',
  'See your organization': '組織の表示',
  'Query records': 'クエリによるデータの取得',
  'Search records': 'データの検索',
}
