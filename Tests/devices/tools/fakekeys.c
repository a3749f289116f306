// SPDX-License-Identifier: Apache-2.0
// fakekeys: a keypad that types what we say.
//
//   fakekeys --uinput [options]      an input device made through /dev/uinput
//   fakekeys --usb VID:PID [options] a USB keyboard (HID gadget on dummy_hcd), so
//                                    that usbhid, udev rules on the vendor's and
//                                    product's number and unplugging are real
// Options: --name TEXT, --ctl FIFO (made if missing; default
// /run/fakekeys.ctl), --gap MS (between keys, default 40), --unplugged.
//
// Lines written to the FIFO:
//   plug | unplug | quit
//   type TEXT    keypad keys: 0-9 . + - * / , E Enter, B backspace, N NumLock,
//                X Escape, T Tab; other signs are left out
//   top TEXT     the same, but digits and Enter of the main block
//   down SIGN    press and keep pressed        up   let go of everything
//   gap MS       wait MS
#define _GNU_SOURCE
#include <dirent.h>
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

static const struct key { char c; unsigned short kp, top; unsigned char hkp, htop; } keys[] = {
	{'0', KEY_KP0, KEY_0, 0x62, 0x27}, {'1', KEY_KP1, KEY_1, 0x59, 0x1e},
	{'2', KEY_KP2, KEY_2, 0x5a, 0x1f}, {'3', KEY_KP3, KEY_3, 0x5b, 0x20},
	{'4', KEY_KP4, KEY_4, 0x5c, 0x21}, {'5', KEY_KP5, KEY_5, 0x5d, 0x22},
	{'6', KEY_KP6, KEY_6, 0x5e, 0x23}, {'7', KEY_KP7, KEY_7, 0x5f, 0x24},
	{'8', KEY_KP8, KEY_8, 0x60, 0x25}, {'9', KEY_KP9, KEY_9, 0x61, 0x26},
	{'.', KEY_KPDOT, KEY_DOT, 0x63, 0x37}, {'+', KEY_KPPLUS, KEY_KPPLUS, 0x57, 0x57},
	{'-', KEY_KPMINUS, KEY_MINUS, 0x56, 0x2d}, {'*', KEY_KPASTERISK, KEY_KPASTERISK, 0x55, 0x55},
	{'/', KEY_KPSLASH, KEY_SLASH, 0x54, 0x38}, {'E', KEY_KPENTER, KEY_ENTER, 0x58, 0x28},
	{'B', KEY_BACKSPACE, KEY_BACKSPACE, 0x2a, 0x2a}, {'N', KEY_NUMLOCK, KEY_NUMLOCK, 0x53, 0x53},
	{'X', KEY_ESC, KEY_ESC, 0x29, 0x29}, {'T', KEY_TAB, KEY_TAB, 0x2b, 0x2b},
};
#define G "/sys/kernel/config/usb_gadget/fakekeys"

static int vid, pid, usb = -1, fd = -1, gap = 40, plugged;
static const char *name = "Fake Keypad", *ctlpath = "/run/fakekeys.ctl";
static const struct key *held;

static void die(const char *fmt, ...)
{
	va_list a;
	va_start(a, fmt);
	fprintf(stderr, "fakekeys: ");
	vfprintf(stderr, fmt, a);
	fprintf(stderr, "\n");
	exit(1);
}

static void put(const char *path, const char *fmt, ...)
{
	char b[256];
	va_list a;
	int n, f;
	va_start(a, fmt);
	n = vsnprintf(b, sizeof b, fmt, a);
	f = open(path, O_WRONLY | O_CLOEXEC);
	if (f < 0 || write(f, b, n) != n)
		die("%s: %s", path, strerror(errno));
	close(f);
}

static void gadget(void)
{
	static const unsigned char report[] = {	// a boot keyboard
		5, 1, 9, 6, 0xa1, 1, 5, 7, 0x19, 0xe0, 0x29, 0xe7, 0x15, 0, 0x25, 1, 0x75, 1, 0x95, 8, 0x81, 2,
		0x95, 1, 0x75, 8, 0x81, 3, 0x95, 5, 0x75, 1, 5, 8, 0x19, 1, 0x29, 5, 0x91, 2, 0x95, 1, 0x75, 3, 0x91, 3,
		0x95, 6, 0x75, 8, 0x15, 0, 0x25, 0x65, 5, 7, 0x19, 0, 0x29, 0x65, 0x81, 0, 0xc0};
	static const char *dirs[] = {G, G "/strings/0x409", G "/configs/c.1", G "/functions/hid.0"};
	for (unsigned i = 0; i < 4; i++)
		if (mkdir(dirs[i], 0755) && errno != EEXIST)
			die("%s: %s (modprobe usb_f_hid dummy_hcd, and is configfs mounted?)", dirs[i], strerror(errno));
	put(G "/idVendor", "0x%04x", vid);
	put(G "/idProduct", "0x%04x", pid);
	put(G "/strings/0x409/manufacturer", "login-kiosk");
	put(G "/strings/0x409/product", "%s", name);
	put(G "/functions/hid.0/protocol", "1");
	put(G "/functions/hid.0/subclass", "1");
	put(G "/functions/hid.0/report_length", "8");
	int f = open(G "/functions/hid.0/report_desc", O_WRONLY | O_CLOEXEC);
	if (f < 0 || write(f, report, sizeof report) != sizeof report)
		die("report_desc: %s", strerror(errno));
	close(f);
	if (symlink(G "/functions/hid.0", G "/configs/c.1/hid.0") && errno != EEXIST)
		die("configs/c.1/hid.0: %s", strerror(errno));
}

static void ungadget(void)
{
	unlink(G "/configs/c.1/hid.0");
	rmdir(G "/configs/c.1");
	rmdir(G "/functions/hid.0");
	rmdir(G "/strings/0x409");
	rmdir(G);
}

static void plug(void)
{
	if (plugged)
		return;
	if (usb) {
		char udc[300] = "";
		struct dirent *e;
		DIR *d = opendir("/sys/class/udc");
		while (d && (e = readdir(d)))
			if (e->d_name[0] != '.')
				snprintf(udc, sizeof udc, "%s", e->d_name);
		if (d)
			closedir(d);
		if (!*udc)
			die("no UDC (modprobe dummy_hcd)");
		put(G "/UDC", "%s", udc);
		for (int i = 0; (fd = open("/dev/hidg0", O_RDWR | O_NONBLOCK | O_CLOEXEC)) < 0; i++) {
			if (i == 100)
				die("/dev/hidg0: %s", strerror(errno));
			usleep(20000);
		}
	} else {
		struct uinput_setup s = {.id = {BUS_USB, vid ? vid : 0x1209, pid ? pid : 2, 1}};
		fd = open("/dev/uinput", O_WRONLY | O_CLOEXEC);
		if (fd < 0)
			die("/dev/uinput: %s", strerror(errno));
		ioctl(fd, UI_SET_EVBIT, EV_KEY);
		ioctl(fd, UI_SET_EVBIT, EV_REP);
		// A keyboard's first keys too, or udev would not call it a keyboard.
		for (int k = 1; k < 128; k++)
			ioctl(fd, UI_SET_KEYBIT, k);
		snprintf(s.name, sizeof s.name, "%s", name);
		if (ioctl(fd, UI_DEV_SETUP, &s) || ioctl(fd, UI_DEV_CREATE))
			die("uinput: %s", strerror(errno));
	}
	plugged = 1;
	fprintf(stderr, "fakekeys: plugged\n");
}

static void unplug(void)
{
	if (!plugged)
		return;
	if (usb)
		put(G "/UDC", "\n");
	else
		ioctl(fd, UI_DEV_DESTROY);
	close(fd);
	fd = -1;
	plugged = 0;
	held = NULL;
	fprintf(stderr, "fakekeys: unplugged\n");
}

static void emit(const struct key *k, int top, int down)
{
	if (fd < 0)
		return;
	if (usb) {
		unsigned char r[8] = {0, 0, down ? (top ? k->htop : k->hkp) : 0};
		for (int i = 0; write(fd, r, 8) != 8 && i < 100; i++)
			usleep(2000);	// the last report has not been fetched
	} else {
		struct input_event e[2] = {{.type = EV_KEY, .code = top ? k->top : k->kp, .value = down}, {.type = EV_SYN}};
		if (write(fd, e, sizeof e) < 0)
			perror("fakekeys: write");
	}
}

static const struct key *find(char c)
{
	for (unsigned i = 0; i < sizeof keys / sizeof *keys; i++)
		if (keys[i].c == c)
			return &keys[i];
	return NULL;
}

static int command(char *line)
{
	static int heldtop;
	char *arg = strchr(line, ' ');
	const struct key *k;
	if (arg)
		*arg++ = 0;
	if (!strcmp(line, "plug")) plug();
	else if (!strcmp(line, "unplug")) unplug();
	else if (!strcmp(line, "quit")) return 1;
	else if (!strcmp(line, "gap") && arg) usleep(atoi(arg) * 1000);
	else if (!strcmp(line, "up")) { if (held) emit(held, heldtop, 0); held = NULL; }
	else if (!strcmp(line, "down") && arg) { if ((held = find(*arg))) emit(held, heldtop = 0, 1); }
	else if ((!strcmp(line, "type") || !strcmp(line, "top")) && arg) {
		for (; *arg; arg++)
			if ((k = find(*arg))) {
				emit(k, line[1] == 'o', 1);
				usleep(gap * 500);
				emit(k, line[1] == 'o', 0);
				usleep(gap * 500);
			}
	} else fprintf(stderr, "fakekeys: unknown command %s\n", line);
	return 0;
}

static void on_signal(int s)
{
	(void)s;
	unplug();
	if (usb)
		ungadget();
	_exit(0);
}

int main(int argc, char **argv)
{
	int unplugged = 0;
	char line[4096];
	for (int i = 1; i < argc; i++) {
		const char *o = argv[i], *v = i + 1 < argc ? argv[i + 1] : "";
		if (!strcmp(o, "--uinput")) { usb = 0; continue; }
		if (!strcmp(o, "--unplugged")) { unplugged = 1; continue; }
		i++;
		if (!strcmp(o, "--usb") && sscanf(v, "%x:%x", &vid, &pid) == 2) usb = 1;
		else if (!strcmp(o, "--name")) name = v;
		else if (!strcmp(o, "--ctl")) ctlpath = v;
		else if (!strcmp(o, "--gap")) gap = atoi(v);
		else die("what is %s %s?", o, v);
	}
	if (usb < 0)
		die("usage: fakekeys --uinput | --usb VID:PID [options]");
	signal(SIGTERM, on_signal);
	signal(SIGINT, on_signal);
	if (usb)
		gadget();
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
