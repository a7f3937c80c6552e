import type { Pack } from './pack.js';

export const PRIVILEGE: Pack = {
  name: 'privilege',
  about: 'what acts as somebody else, or gives rights',
  decision: 'require_approval',
  target: 'rights on this machine',
  scope: 'one command',
  risks: 'acts with rights that the agent does not have',
  recovery: 'undo by hand what it changed',
  rules: [
    {
      id: 'become',
      told: 'sudo, su',
      program: 'sudo|sudoedit|doas|su|pkexec|runuser|gosu|su-exec|runas|machinectl',
      reason: 'It acts as somebody else.',
    },
    {
      id: 'set-user-id',
      told: 'chmod u+s, setcap',
      program: 'chmod',
      args: String.raw`(?:^| )(?:[ugoa]*[+=]\w*s\w*|0?[2-7][0-7]{3})(?: |$)`,
      reason: 'It lets others act as the owner of a file.',
    },
    { id: 'capabilities', program: 'setcap|capsh|prlimit', reason: 'It gives rights to a program.' },
    {
      id: 'owner',
      told: 'chown',
      program: 'chown',
      args: String.raw`(?:^| )(?:root|0)(?::\S*)?(?: |$)`,
      reason: 'It gives a file to the superuser.',
    },
    {
      id: 'accounts',
      told: 'useradd, passwd, visudo',
      program: 'useradd|adduser|userdel|deluser|usermod|groupadd|groupdel|groupmod|gpasswd|passwd|chpasswd|visudo|vipw|chsh|newgrp|dscl',
      reason: 'It changes accounts.',
    },
    {
      id: 'namespaces',
      told: 'chroot, unshare, nsenter',
      program: 'chroot|unshare|nsenter|mount|umount|pivot_root|losetup|cryptsetup',
      reason: 'It changes what programs see of the machine.',
    },
    {
      id: 'kernel',
      program: 'insmod|rmmod|modprobe|sysctl|kexec|bpftool|setenforce|aa-disable|nft|iptables|ip6tables|ufw|firewall-cmd',
      decision: 'deny',
      reason: 'It changes the kernel or its firewall.',
    },
    {
      id: 'services',
      told: 'systemctl, launchctl',
      program: 'systemctl|service|launchctl|rc-service|update-rc.d|chkconfig|sc',
      args: String.raw`(?:^| )(?:start|stop|restart|reload|enable|disable|mask|unmask|edit|set-property|daemon-reload|load|unload|bootstrap|bootout|isolate|create|delete|config)(?: |$)`,
      reason: 'It changes the services of the machine.',
    },
    {
      id: 'containers',
      told: 'docker run --privileged',
      program: 'docker|podman|nerdctl',
      args: String.raw`--privileged\b|--(?:pid|net|network|ipc|userns)[= ]host\b|--cap-add\b|(?:-v|--volume|--mount)[= ](?:\S*docker\.sock|/:|\S*(?:source|src)=/(?:,|\s|$))`,
      reason: 'It starts a container with rights on the machine.',
    },
    {
      id: 'system-files',
      path: '/etc/{sudoers,sudoers.d,passwd,group,shadow,gshadow,pam.d,crontab,cron.*,ld.so.preload}{,/**}',
      reason: 'It reaches for files that give rights.',
    },
    {
      id: 'planned',
      told: 'crontab, at',
      program: 'crontab|at|batch',
      args: String.raw`^$|^[^-]|^-[^l]`,
      reason: 'It plans a command for later, when nobody looks.',
    },
  ],
};
