#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
# Prints what the scanner says, docs/scanner.md, one line a message, with the time since the start of the machine in ms.
#
#   messages.pl KNOWN TAKEN     KNOWN is the file that gets the name of the camera, TAKEN that of the controls to give back
use strict;
use warnings;

binmode STDIN;
$| = 1;
my @states = qw(none running paused ended failed waiting outgrown);

sub tell_line {
    open(my $uptime, '<', '/proc/uptime') or die;
    printf "%d %s\n", 1000 * (split ' ', <$uptime>)[0], join('', @_);
}

while (read(STDIN, my $head, 5) == 5) {
    my ($length, $kind) = unpack('VC', $head);
    read(STDIN, my $body, $length - 1) == $length - 1 or last;
    if ($kind == 1) {
        my ($version, $files) = unpack('vC', $body);
        tell_line("hello version=$version confines-files=$files");
    } elsif ($kind == 2) {
        tell_line('symbol ', substr($body, 23));
    } elsif ($kind == 4) {
        my ($frames, $dropped, $damaged, $flawed) = unpack('Q<Q<Q<Q<', $body);
        tell_line("stats frames=$frames dropped=$dropped damaged=$damaged flawed=$flawed");
    } elsif ($kind == 9) {
        my ($count, @numbers) = unpack('C(VlC)*', $body);
        my @settings;
        push @settings, join(':', splice(@numbers, 0, 3)) while @numbers;
        open(my $taken, '>', $ARGV[1]) or die;
        print $taken join(',', @settings);
        tell_line("taken count=$count");
    } elsif ($kind == 10) {
        my $count = unpack('C', $body);
        tell_line("passed over $_") for $count ? unpack("x(v/a)$count", $body) : ();
    } elsif ($kind == 5) {
        my $state = unpack('C', $body);
        my $text = $state == 1 ? substr($body, 3) : $state == 4 || $state == 5 ? substr($body, 4) : '';
        tell_line("health $states[$state] $text");
        if ($state == 1 && $text ne '') {
            open(my $known, '>', $ARGV[0]) or die;
            print $known $text;
        }
    }
}
