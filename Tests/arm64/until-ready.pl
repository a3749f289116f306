#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
# Starts a program as a service manager does, whose output goes to /tmp/screen and /tmp/log. Once it says that it is ready, prints
# its process number and the nanoseconds that its threads and those of its children have had processors; then waits for its end.
#
#   until-ready.pl PROGRAM ARGUMENT...
use strict;
use warnings;
use Socket;

$| = 1;
my $path = '/run/until-ready';
unlink $path;
socket(my $manager, AF_UNIX, SOCK_DGRAM, 0) or die;
bind($manager, pack_sockaddr_un($path)) or die;
my $process = fork // die;
if (!$process) {
    $ENV{NOTIFY_SOCKET} = $path;
    open(STDOUT, '>', '/tmp/screen') or die;
    open(STDERR, '>', '/tmp/log') or die;
    exec @ARGV or die;
}
do { recv($manager, my $said, 4096, 0) // die; $_ = $said } until /^READY=1$/m;

my $used = 0;
for my $one ($process, split ' ', `pgrep --parent $process`) {
    for my $file (glob "/proc/$one/task/*/schedstat") {
        open(my $times, '<', $file) or next;
        $used += (split ' ', <$times>)[0];
    }
}
print "$process $used\n";
waitpid $process, 0;
