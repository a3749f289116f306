// SPDX-License-Identifier: Apache-2.0
// faketouch: a touch panel with fingers that do what we say, made through /dev/uinput.
//
//   faketouch [--name TEXT] [--size WIDTHxHEIGHT] [--single] [--ctl FIFO] [--unplugged]
//
// It speaks the multi-touch protocol B with ten slots; with --single it is a panel that knows one finger. The size is
// that of its coordinates (standard 800x480). The FIFO is made if missing (standard /run/faketouch.ctl).
//
// Lines written to the FIFO:
//   plug | unplug | quit
//   tap X Y [MS]               a finger goes down, and up after MS (60)
//   slide X Y TO-X TO-Y [MS]   the same, and moves meanwhile (200)
//   two X Y X2 Y2 [MS]         two fingers at once
//   palm X Y [MS]              a contact as wide as a palm (200)
//   bounce X Y                 a tap that flickers: five contacts in 25 ms
//   down FINGER X Y            finger 0 to 9 goes down, or moves       up FINGER
//   flood COUNT                so many reports of ten fingers at random places, as fast as the kernel takes them
//   gap MS                     wait MS
#include <errno.h>
#include <fcntl.h>
#include <linux/uinput.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define FINGERS 10

static const char *name = "Fake Touch Panel", *ctlpath = "/run/faketouch.ctl";
static int width = 800, height = 480, single, fd = -1, contact, isdown[FINGERS];

static void die(const char *fmt, ...)
{
	va_list a;
	va_start(a, fmt);
	fprintf(stderr, "faketouch: ");
	vfprintf(stderr, fmt, a);
	fprintf(stderr, "\n");
	exit(1);
}

static void put(int type, int code, int value)
{
	struct input_event e = {.type = type, .code = code, .value = value};
	if (fd >= 0 && write(fd, &e, sizeof e) < 0)
		perror("faketouch: write");
}

static void axis(int code, int most, int resolution)
{
	struct uinput_abs_setup s = {.code = code, .absinfo = {.maximum = most, .resolution = resolution}};
	if (ioctl(fd, UI_SET_ABSBIT, code) || ioctl(fd, UI_ABS_SETUP, &s))
		die("axis %d: %s", code, strerror(errno));
}

static void plug(void)
{
	struct uinput_setup s = {.id = {BUS_USB, 0x1209, 5, 1}};
	if (fd >= 0)
		return;
	fd = open("/dev/uinput", O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		die("/dev/uinput: %s", strerror(errno));
	ioctl(fd, UI_SET_EVBIT, EV_KEY);
	ioctl(fd, UI_SET_KEYBIT, BTN_TOUCH);
	ioctl(fd, UI_SET_EVBIT, EV_ABS);
	ioctl(fd, UI_SET_PROPBIT, INPUT_PROP_DIRECT);
	axis(ABS_X, width - 1, 5);
	axis(ABS_Y, height - 1, 5);
	if (!single) {
		axis(ABS_MT_SLOT, FINGERS - 1, 0);
		axis(ABS_MT_TRACKING_ID, 65535, 0);
		axis(ABS_MT_POSITION_X, width - 1, 5);
		axis(ABS_MT_POSITION_Y, height - 1, 5);
		axis(ABS_MT_TOUCH_MAJOR, 255, 0);
	}
	snprintf(s.name, sizeof s.name, "%s", name);
	if (ioctl(fd, UI_DEV_SETUP, &s) || ioctl(fd, UI_DEV_CREATE))
		die("uinput: %s", strerror(errno));
	fprintf(stderr, "faketouch: plugged\n");
}

static void unplug(void)
{
	if (fd < 0)
		return;
	ioctl(fd, UI_DEV_DESTROY);
	close(fd);
	fd = -1;
	memset(isdown, 0, sizeof isdown);
	fprintf(stderr, "faketouch: unplugged\n");
}

static int fingers(void)
{
	int n = 0;
	for (int i = 0; i < FINGERS; i++)
		n += isdown[i];
	return n;
}

static void down(int finger, int x, int y, int major)	// without the end of the report
{
	int isfirst = !fingers();
	if (finger < 0 || finger >= FINGERS || (single && finger))
		return;
	if (!single) {
		put(EV_ABS, ABS_MT_SLOT, finger);
		if (!isdown[finger])
			put(EV_ABS, ABS_MT_TRACKING_ID, contact++ & 65535);
		put(EV_ABS, ABS_MT_POSITION_X, x);
		put(EV_ABS, ABS_MT_POSITION_Y, y);
		put(EV_ABS, ABS_MT_TOUCH_MAJOR, major);
	}
	isdown[finger] = 1;
	if (isfirst)
		put(EV_KEY, BTN_TOUCH, 1);
	if (!finger) {
		put(EV_ABS, ABS_X, x);
		put(EV_ABS, ABS_Y, y);
	}
}

static void up(int finger)	// without the end of the report
{
	if (finger < 0 || finger >= FINGERS || !isdown[finger])
		return;
	isdown[finger] = 0;
	if (!single) {
		put(EV_ABS, ABS_MT_SLOT, finger);
		put(EV_ABS, ABS_MT_TRACKING_ID, -1);
	}
	if (!fingers())
		put(EV_KEY, BTN_TOUCH, 0);
}

static void report(void) { put(EV_SYN, SYN_REPORT, 0); }
static void wait_ms(int ms) { usleep(ms * 1000); }

static void touch(int x, int y, int major, int ms)
{
	down(0, x, y, major);
	report();
	wait_ms(ms);
	up(0);
	report();
}

static int command(const char *line)	// 1 at the end
{
	int a, b, c, d, ms = 60;
	if (!strcmp(line, "quit"))
		return 1;
	if (!strcmp(line, "plug"))
		plug();
	else if (!strcmp(line, "unplug"))
		unplug();
	else if (sscanf(line, "gap %d", &a) == 1)
		wait_ms(a);
	else if (sscanf(line, "tap %d %d %d", &a, &b, &ms) >= 2)
		touch(a, b, 20, ms);
	else if (sscanf(line, "palm %d %d %d", &a, &b, (ms = 200, &ms)) >= 2)
		touch(a, b, 255, ms);
	else if (sscanf(line, "slide %d %d %d %d %d", &a, &b, &c, &d, (ms = 200, &ms)) >= 4) {
		for (int i = 0; i <= 20; i++) {
			down(0, a + (c - a) * i / 20, b + (d - b) * i / 20, 20);
			report();
			wait_ms(ms / 20);
		}
		up(0);
		report();
	} else if (sscanf(line, "two %d %d %d %d %d", &a, &b, &c, &d, (ms = 60, &ms)) >= 4) {
		down(0, a, b, 20);
		down(1, c, d, 20);
		report();
		wait_ms(ms);
		up(0);
		up(1);
		report();
	} else if (sscanf(line, "bounce %d %d", &a, &b) == 2) {
		for (int i = 0; i < 5; i++) {
			touch(a, b, 20, 3);
			wait_ms(2);
		}
	} else if (sscanf(line, "down %d %d %d", &a, &b, &c) == 3) {
		down(a, b, c, 20);
		report();
	} else if (sscanf(line, "up %d", &a) == 1) {
		up(a);
		report();
	} else if (sscanf(line, "flood %d", &a) == 1) {
		srand(1);
		for (int i = 0; i < a; i++) {
			for (int finger = 0; finger < FINGERS; finger++)
				if (isdown[finger] && rand() % 4 == 0)
					up(finger);
				else
					down(finger, rand() % width, rand() % height, 20);
			report();
		}
		for (int finger = 0; finger < FINGERS; finger++)
			up(finger);
		report();
	} else
		fprintf(stderr, "faketouch: what is '%s'?\n", line);
	return 0;
}

static void on_signal(int n)
{
	(void)n;
	unplug();
	unlink(ctlpath);
	_exit(0);
}

int main(int argc, char **argv)
{
	char line[256];
	int unplugged = 0;
	for (int i = 1; i < argc; i++) {
		const char *o = argv[i], *v = i + 1 < argc ? argv[i + 1] : "";
		if (!strcmp(o, "--single")) { single = 1; continue; }
		if (!strcmp(o, "--unplugged")) { unplugged = 1; continue; }
		i++;
		if (!strcmp(o, "--name")) name = v;
		else if (!strcmp(o, "--ctl")) ctlpath = v;
		else if (!strcmp(o, "--size") && sscanf(v, "%dx%d", &width, &height) == 2) continue;
		else die("what is %s %s?", o, v);
	}
	signal(SIGTERM, on_signal);
	signal(SIGINT, on_signal);
	if (!unplugged)
		plug();
	if (mkfifo(ctlpath, 0666) && errno != EEXIST)
		die("%s: %s", ctlpath, strerror(errno));
	int c = open(ctlpath, O_RDWR | O_CLOEXEC);
	FILE *f = c < 0 ? NULL : fdopen(c, "r");
	if (!f)
		die("%s: %s", ctlpath, strerror(errno));
	while (fgets(line, sizeof line, f)) {
		line[strcspn(line, "\n")] = 0;
		if (command(line))
			break;
	}
	on_signal(0);
}
