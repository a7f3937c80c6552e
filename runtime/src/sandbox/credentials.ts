/** Where secrets of a user usually stand. Pure. */
import { isAbsolute, join } from 'node:path';
import { isWithin } from '../agent/tools/place.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** In a user's home. What is not there costs a look. */
const AT_HOME = [
  ...[
    '.ssh',
    '.gnupg',
    '.config',
    '.aws',
    '.azure',
    '.gcloud',
    '.oci',
    '.kube',
    '.docker',
    '.dockercfg',
    '.minikube',
    '.terraform.d',
    '.terraformrc',
  ],
  ...[
    '.netrc',
    '_netrc',
    '.git-credentials',
    '.authinfo',
    '.authinfo.gpg',
    '.vault-token',
    '.boto',
    '.s3cfg',
    '.rclone.conf',
    '.databrickscfg',
  ],
  ...['.npmrc', '.yarnrc', '.yarnrc.yml', '.pypirc', '.gem/credentials', '.cargo/credentials', '.cargo/credentials.toml', '.bundle/config'],
  ...['.m2/settings.xml', '.m2/settings-security.xml', '.gradle/gradle.properties', '.nuget', '.composer/auth.json', '.subversion/auth'],
  ...['.pgpass', '.my.cnf', '.mylogin.cnf', '.snowsql', '.kaggle', '.huggingface', '.netlify', '.heroku', '.fly', '.railway', '.wrangler'],
  ...[
    '.password-store',
    '.1password',
    '.local/share/keyrings',
    '.pki',
    '.mozilla',
    '.thunderbird',
    '.purple',
    '.msmtprc',
    '.fetchmailrc',
    '.mutt',
  ],
  ...['.claude', '.claude.json', '.codex', '.gemini', '.local/share/opencode', '.copilot', '.cursor', '.anthropic', '.openai'],
  ...[
    '.bash_history',
    '.zsh_history',
    '.sh_history',
    '.python_history',
    '.node_repl_history',
    '.psql_history',
    '.mysql_history',
    '.sqlite_history',
  ],
  ...['.rediscli_history', '.local/share/fish/fish_history', '.viminfo', '.lesshst', '.Xauthority', '.ICEauthority'],
];

/** Of the machine. Most of it only root can read; as root a contained program still could. */
const OF_THE_MACHINE = [
  ...['/etc/shadow', '/etc/shadow-', '/etc/gshadow', '/etc/gshadow-', '/etc/sudoers', '/etc/sudoers.d', '/etc/security/opasswd'],
  ...[
    '/etc/ssh',
    '/etc/ssl/private',
    '/etc/letsencrypt',
    '/etc/kubernetes',
    '/etc/rancher',
    '/etc/krb5.keytab',
    '/etc/wireguard',
    '/etc/openvpn',
  ],
  ...[
    '/etc/NetworkManager/system-connections',
    '/etc/docker',
    '/var/run/secrets',
    '/var/run/docker.sock',
    '/var/lib/docker',
    '/var/lib/containers',
  ],
  ...['/var/lib/lxd', '/var/snap/lxd', '/var/lib/incus', '/var/lib/kubelet', '/var/lib/cloud', '/var/spool/cron', '/var/log'],
];

/** Variables that say where such a thing stands instead; several paths are separated by `:`. */
const NAMED_BY = [
  ...['AWS_SHARED_CREDENTIALS_FILE', 'AWS_CONFIG_FILE', 'AWS_WEB_IDENTITY_TOKEN_FILE', 'GOOGLE_APPLICATION_CREDENTIALS', 'CLOUDSDK_CONFIG'],
  ...[
    'AZURE_CONFIG_DIR',
    'KUBECONFIG',
    'DOCKER_CONFIG',
    'GNUPGHOME',
    'NETRC',
    'PGPASSFILE',
    'NPM_CONFIG_USERCONFIG',
    'npm_config_userconfig',
  ],
  ...[
    'GH_CONFIG_DIR',
    'XDG_CONFIG_HOME',
    'PASSWORD_STORE_DIR',
    'CLAUDE_CONFIG_DIR',
    'CODEX_HOME',
    'SSH_AUTH_SOCK',
    'XAUTHORITY',
    'HISTFILE',
  ],
  ...[
    'PIP_CONFIG_FILE',
    'VAULT_TOKEN_FILE',
    'KRB5CCNAME',
    'GITHUB_ENV',
    'GITHUB_PATH',
    'GITHUB_OUTPUT',
    'GITHUB_STATE',
    'GITHUB_STEP_SUMMARY',
  ],
];

/** Every path that may hold a secret, whether it is there or not. `homes`: the user's home folders, as the environment and the system say. */
export function credentialPaths(env: Environment, homes: readonly string[]): readonly string[] {
  const named = NAMED_BY.flatMap((name) => (env[name] ?? '').split(':'));
  const daemon = /^unix:\/\/(\/.*)$/.exec(env['DOCKER_HOST'] ?? '')?.[1];
  const said = [...named, ...(daemon === undefined ? [] : [daemon])].filter((path) => isAbsolute(path));
  // A variable that names a whole home, or more, would hide everything.
  const sensible = said.filter((path) => path !== '/' && !homes.some((home) => isWithin(home, path)));
  return [...new Set([...OF_THE_MACHINE, ...homes.flatMap((home) => AT_HOME.map((name) => join(home, name))), ...sensible])];
}

/** What a shell or git starts or obeys by itself, in a home that is the working tree: a change there would act outside. */
export const STARTING_FILES = [
  ...['.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.bash_aliases', '.profile', '.zshrc', '.zshenv', '.zprofile', '.zlogin'],
  ...['.zlogout', '.inputrc', '.gitconfig', '.vimrc', '.tmux.conf', '.xinitrc', '.xprofile', '.local/bin', 'bin', '.local/share/systemd'],
];
