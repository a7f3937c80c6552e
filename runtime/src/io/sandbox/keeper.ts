/**
 * Starts the program inside a sandbox, with both outputs on the one descriptor, waits, and says on standard error, which it alone has,
 * how that ended: bubblewrap tells only 128+n of a signal. SIGTERM is for the program; the keeper stays until that is gone.
 */
const PERL = String.raw`$SIG{CHLD}="DEFAULT";my $p=fork;
if(!defined $p){syswrite STDERR,"\nerrno ".($!+0)."\n";exit 127}
if(!$p){open my $r,">&",\*STDERR;open STDERR,">&",\*STDOUT;{no warnings;exec{$ARGV[0]}@ARGV};syswrite $r,"\nerrno ".($!+0)."\n";exit 127}
$SIG{$_}="IGNORE" for qw(TERM INT HUP QUIT);waitpid $p,0;my $s=$?;
if($s&127){syswrite STDERR,"\nsignal ".($s&127)."\n";exit 128+($s&127)}syswrite STDERR,"\nexit ".($s>>8)."\n";exit $s>>8`;

/** The same where there is no perl; it takes several times as long to start. */
const NODE = String.raw`const{spawn}=require("child_process"),{writeSync}=require("fs"),{signals}=require("os").constants;
const end=(how,n,code)=>{writeSync(2,"\n"+how+" "+n+"\n");process.exit(code)};
for(const s of["SIGTERM","SIGINT","SIGHUP","SIGQUIT"])process.on(s,()=>{});
const[file,...args]=process.argv.slice(1);const c=spawn(file,args,{stdio:[0,1,1]});
c.on("error",e=>end("errno",-e.errno,127));c.on("exit",(n,s)=>s?end("signal",signals[s],128+signals[s]):end("exit",n,n))`;

export const PERL_FILE = '/usr/bin/perl';

export function keeperOf(perl: boolean): readonly string[] {
  return perl ? [PERL_FILE, '-e', PERL, '--'] : [process.execPath, '-e', NODE, '--'];
}
