#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
# Prints what the scanner says, docs/scanner.md, one line a message.
use strict;
use warnings;

binmode STDIN;
$| = 1;
my @states = qw(none running paused ended failed);
while (read(STDIN, my $head, 5) == 5) {
    my ($length, $kind) = unpack('VC', $head);
    read(STDIN, my $body, $length - 1) == $length - 1 or last;
    if ($kind == 2) {
        print 'symbol ', substr($body, 23), "\n";
    } elsif ($kind == 4) {
        my ($frames, $dropped) = unpack('Q<Q<', $body);
        print "stats frames=$frames dropped=$dropped\n";
    } elsif ($kind == 5) {
        my $state = unpack('C', $body);
        print "health $states[$state]", $state == 4 ? ' ' . substr($body, 3) : '', "\n";
    }
}
