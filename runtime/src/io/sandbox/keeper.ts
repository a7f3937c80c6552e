/**
 * Starts the program inside a sandbox, with both outputs on the one descriptor, waits, and says on standard error, which it alone has,
 * how that ended: bubblewrap tells only 128+n of a signal. SIGTERM is for the program; the keeper stays until that is gone. With the
 * keeper all that is inside ends at once, so when it was told to end it stays for whoever is still putting things in order (K-13).
 */
const PERL = String.raw`$SIG{CHLD}="DEFAULT";my($told,$s)=(0);my %was=map{$_=>$SIG{$_}//"DEFAULT"}qw(INT HUP QUIT TERM);
$SIG{$_}="IGNORE" for qw(INT HUP QUIT);$SIG{TERM}=sub{$told=1};my $p=fork;
if(!defined $p){syswrite STDERR,"\nerrno ".($!+0)."\n";exit 127}
if(!$p){$SIG{$_}=$was{$_} for keys %was;kill TERM=>$$ if $told;open my $r,">&",\*STDERR;open STDERR,">&",\*STDOUT;{no warnings;exec{$ARGV[0]}@ARGV};syswrite $r,"\nerrno ".($!+0)."\n";exit 127}
1 until waitpid($p,0)==$p;$s=$?;select undef,undef,undef,.02 while $told&&kill 0,-1;
if($s&127){syswrite STDERR,"\nsignal ".($s&127)."\n";exit 128+($s&127)}syswrite STDERR,"\nexit ".($s>>8)."\n";exit $s>>8`;

/** The same where there is no perl; it takes several times as long to start. */
const NODE = String.raw`const{spawn}=require("child_process"),{writeSync}=require("fs"),{signals}=require("os").constants;
const end=(how,n,code)=>{writeSync(2,"\n"+how+" "+n+"\n");process.exit(code)};let told=false;
const others=()=>{try{return process.kill(-1,0)}catch{return false}};
const last=(how,n,code)=>told&&others()?setTimeout(last,20,how,n,code):end(how,n,code);
for(const s of["SIGINT","SIGHUP","SIGQUIT"])process.on(s,()=>{});process.on("SIGTERM",()=>{told=true});
const[file,...args]=process.argv.slice(1);const c=spawn(file,args,{stdio:[0,1,1]});
c.on("error",e=>end("errno",-e.errno,127));c.on("exit",(n,s)=>s?last("signal",signals[s],128+signals[s]):last("exit",n,n))`;

export const PERL_FILE = '/usr/bin/perl';

export function keeperOf(perl: boolean): readonly string[] {
  return perl ? [PERL_FILE, '-e', PERL, '--'] : [process.execPath, '-e', NODE, '--'];
}
