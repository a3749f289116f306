// SPDX-License-Identifier: Apache-2.0
// fakepad: presses keys of the matrix keypad that the kernel module kpsim
// simulates.
//
//   fakepad [--layout 123A/456B/789C/*0#D] [--hold MS] [--gap MS]
//           [--bounce N] [--bounce-us US] KEYS
//
// Each sign of KEYS is pressed for --hold ms (default 80), and --gap ms (default
// 80) pass after it.  With --bounce N the contact opens and closes N times,
// --bounce-us apart (default 1000), at each press and release.  "(" and ")"
// around signs press them all at the same time, as for ghost keys.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DIR "/sys/bus/platform/devices/kpsim.0/"

static int fds[2], bounce, bounce_us = 1000;
static const char *layout = "123A/456B/789C/*0#D";

static void key(char c, int down)
{
	int row = 0, col = 0, found = 0;
	char b[16];
	for (const char *p = layout; *p; p++) {
		if (*p == '/') {
			row++;
			col = 0;
			continue;
		}
		if (*p == c) {
			found = 1;
			break;
		}
		col++;
	}
	if (!found) {
		fprintf(stderr, "fakepad: no key %c\n", c);
		exit(1);
	}
	int n = snprintf(b, sizeof b, "%d %d", row, col);
	for (int i = 0; i <= bounce; i++) {
		for (int k = 0; k < 2; k++) {
			int d = (i == bounce && k) ? -1 : k ? !down : down;
			if (d < 0)
				break;
			if (pwrite(fds[d], b, n, 0) != n) {
				fprintf(stderr, "fakepad: %s: %s\n", DIR, strerror(errno));
				exit(1);
			}
			if (i < bounce)
				usleep(bounce_us);
		}
	}
}

int main(int argc, char **argv)
{
	int i, hold = 80, gap = 80;
	for (i = 1; i + 1 < argc && !strncmp(argv[i], "--", 2); i += 2) {
		if (!strcmp(argv[i], "--layout")) layout = argv[i + 1];
		else if (!strcmp(argv[i], "--hold")) hold = atoi(argv[i + 1]);
		else if (!strcmp(argv[i], "--gap")) gap = atoi(argv[i + 1]);
		else if (!strcmp(argv[i], "--bounce")) bounce = atoi(argv[i + 1]);
		else if (!strcmp(argv[i], "--bounce-us")) bounce_us = atoi(argv[i + 1]);
		else i = argc;
	}
	if (i + 1 != argc) {
		fprintf(stderr, "usage: fakepad [--layout L] [--hold MS] [--gap MS] [--bounce N] [--bounce-us US] KEYS\n");
		return 2;
	}
	fds[0] = open(DIR "release", O_WRONLY | O_CLOEXEC);
	fds[1] = open(DIR "press", O_WRONLY | O_CLOEXEC);
	if (fds[0] < 0 || fds[1] < 0) {
		fprintf(stderr, "fakepad: %s: %s (modprobe kpsim)\n", DIR, strerror(errno));
		return 1;
	}
	for (const char *k = argv[i]; *k; k++) {
		const char *end = *k == '(' ? strchr(k, ')') : NULL, *p;
		if (end) {
			for (p = k + 1; p < end; p++)
				key(*p, 1);
			usleep(hold * 1000);
			for (p = k + 1; p < end; p++)
				key(*p, 0);
			k = end;
		} else {
			key(*k, 1);
			usleep(hold * 1000);
			key(*k, 0);
		}
		usleep(gap * 1000);
	}
	return 0;
}
