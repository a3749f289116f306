// SPDX-License-Identifier: Apache-2.0
// A camera whose pictures and faults a test chooses.
//
//   fakecam [options] CLIP                   a USB camera: it answers the kernel's vhci_hcd as USB/IP does, so that the
//                                            kernel's own uvcvideo drives it
//   fakecam --out /dev/videoN [options] CLIP feeds an output node of v4l2loopback
//
// CLIP is a folder that make-clip.py made: frames.pgm (grey pictures, one after the other) and, for each size to offer
// as MJPEG, WxH.mjpg. The pictures are played over and over.
//
// Options: --size WxH (several: the uncompressed sizes; else 640x480), --fps N, --name TEXT, --serial TEXT, --port N
// (of vhci_hcd, 0 to 7), --ctl FIFO (made if missing), --format YUYV|GREY|MJPG (with --out).
//
// Lines that it reads from the FIFO:
//   plug | unplug             show CLIP (other pictures, the same sizes)
//   freeze on|off             the camera goes silent
//   error on|off              frames are marked as damaged (V4L2_BUF_FLAG_ERROR)
//   truncate on|off           half of each frame is missing
//   garbage on|off            a JPEG's data is scrambled, a raw picture inverted
//   stall-probe on|off        the negotiation of a format is refused: VIDIOC_S_FMT fails
//   stall-commit on|off       the start is refused: VIDIOC_STREAMON fails
//   quit
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/usb/video.h>
#include <linux/videodev2.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MAXSIZES 6
#define PAYLOAD 16384		// what uvcvideo fetches at a time from a bulk endpoint

struct frame { const uint8_t *p; size_t n; };
struct strip { uint8_t *file; struct frame *f; int n, w, h; };
struct size { int w, h; };

static struct strip pgm, jpg[MAXSIZES];
static int njpg;
static struct size raw[MAXSIZES];
static int nraw;
static double fps = 15;
static const int vid = 0x1209, pid = 0x0001;	// pid.codes, for tests
static int port;
static const char *name = "Test Camera", *serial = "0001";
static const char *ctlpath = "/run/fakecam.ctl", *outdev, *outfmt = "YUYV";
static int regulated, exposure, ae_mode = 8;	// 8 is aperture priority, 1 manual
static int freeze_on, error_on, truncate_on, garbage_on, stall_probe, stall_commit;

static void die(const char *fmt, ...)
{
	va_list a;
	va_start(a, fmt);
	fprintf(stderr, "fakecam: ");
	vfprintf(stderr, fmt, a);
	fprintf(stderr, "\n");
	exit(1);
}

static void say(const char *fmt, ...)
{
	va_list a;
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	va_start(a, fmt);
	fprintf(stderr, "fakecam %ld.%03ld ", (long)t.tv_sec, t.tv_nsec / 1000000);
	vfprintf(stderr, fmt, a);
	fprintf(stderr, "\n");
}

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

// ---- clips ----------------------------------------------------------------

static uint8_t *slurp(const char *path, size_t *len)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	uint8_t *p;
	size_t got = 0;
	if (fd < 0 || fstat(fd, &st))
		return NULL;
	p = malloc(st.st_size + 1);
	while (p && got < (size_t)st.st_size) {
		ssize_t r = read(fd, p + got, st.st_size - got);
		if (r <= 0)
			break;
		got += r;
	}
	close(fd);
	*len = got;
	return p;
}

static void add(struct strip *s, const uint8_t *p, size_t n)
{
	s->f = realloc(s->f, (s->n + 1) * sizeof(*s->f));
	s->f[s->n++] = (struct frame){p, n};
}

static void drop(struct strip *s)
{
	free(s->file);
	free(s->f);
	memset(s, 0, sizeof(*s));
}

static int load_pgm(const char *path, struct strip *s)
{
	size_t len, i = 0;
	memset(s, 0, sizeof(*s));
	if (!(s->file = slurp(path, &len)))
		return -1;
	while (i + 2 < len && s->file[i] == 'P' && s->file[i + 1] == '5') {
		int v[3], k;
		i += 2;
		for (k = 0; k < 3; k++) {
			while (i < len && s->file[i] <= ' ')
				i++;
			for (v[k] = 0; i < len && s->file[i] >= '0' && s->file[i] <= '9'; i++)
				v[k] = v[k] * 10 + s->file[i] - '0';
		}
		i++;
		if (s->n && (v[0] != s->w || v[1] != s->h))
			return -1;
		s->w = v[0];
		s->h = v[1];
		if (i + (size_t)s->w * s->h > len)
			break;
		add(s, s->file + i, (size_t)s->w * s->h);
		i += (size_t)s->w * s->h;
	}
	return s->n ? 0 : -1;
}

static int load_mjpg(const char *path, struct strip *s)
{
	size_t len, i, start = 0;
	memset(s, 0, sizeof(*s));
	if (!(s->file = slurp(path, &len)))
		return -1;
	for (i = 0; i + 1 < len; i++) {
		if (s->file[i] != 0xff)
			continue;
		if (s->file[i + 1] == 0xd8)
			start = i;
		if (s->file[i + 1] == 0xd9)
			add(s, s->file + start, i + 2 - start);
	}
	return s->n ? 0 : -1;
}

static int load_clip(const char *dir, int first)
{
	static const struct size known[] = {{320, 240}, {640, 360}, {640, 480}, {800, 600}, {1280, 720}, {1920, 1080}};
	char path[4096];
	struct strip p, j[MAXSIZES];
	int n = 0;
	unsigned i;
	snprintf(path, sizeof path, "%s/frames.pgm", dir);
	if (load_pgm(path, &p))
		return -1;
	for (i = 0; i < sizeof known / sizeof *known && n < MAXSIZES; i++) {
		snprintf(path, sizeof path, "%s/%dx%d.mjpg", dir, known[i].w, known[i].h);
		if (load_mjpg(path, &j[n]))
			continue;
		j[n].w = known[i].w;
		j[n].h = known[i].h;
		n++;
	}
	if (!first && n != njpg) {
		say("show: %s has other MJPEG sizes, not shown", dir);
		return -1;
	}
	if (!first) {
		drop(&pgm);
		for (i = 0; i < (unsigned)njpg; i++)
			drop(&jpg[i]);
	}
	pgm = p;
	memcpy(jpg, j, sizeof j);
	njpg = n;
	return 0;
}

// One picture of the clip as the wanted format; the caller's buffer grows.
static size_t picture(unsigned num, int fourcc, int w, int h, uint8_t **buf, size_t *cap)
{
	size_t n, i;
	if (fourcc == V4L2_PIX_FMT_MJPEG) {
		struct strip *s = NULL;
		for (int k = 0; k < njpg; k++)
			if (jpg[k].w == w && jpg[k].h == h)
				s = &jpg[k];
		if (!s)
			return 0;
		struct frame f = s->f[num % s->n];
		if (*cap < f.n)
			*buf = realloc(*buf, *cap = f.n);
		memcpy(*buf, f.p, n = f.n);
		if (garbage_on)
			for (i = 200; i + 2 < n; i += 7)
				(*buf)[i] ^= 0x55;
	} else {
		int bpp = fourcc == V4L2_PIX_FMT_GREY ? 1 : 2;
		const uint8_t *src = pgm.f[num % pgm.n].p;
		n = (size_t)w * h * bpp;
		if (*cap < n)
			*buf = realloc(*buf, *cap = n);
		uint8_t *o = *buf;
		uint8_t inv = garbage_on ? 0xff : 0;
		for (int y = 0; y < h; y++) {
			const uint8_t *row = src + (size_t)(y * pgm.h / h) * pgm.w;
			for (int x = 0; x < w; x++) {
				uint8_t v = row[pgm.w == w ? x : x * pgm.w / w] ^ inv;
				if (regulated) {
					int lit = v * exposure / 40;
					v = lit > 255 ? 255 : lit;
				}
				*o++ = v;
				if (bpp == 2)
					*o++ = 128;
			}
		}
	}
	return truncate_on ? n / 2 : n;
}

// ---- control FIFO ----------------------------------------------------------

static int ctlfd = -1;
static int want_plugged = 1, quitting;

static void open_ctl(void)
{
	if (mkfifo(ctlpath, 0666) && errno != EEXIST)
		die("%s: %s", ctlpath, strerror(errno));
	ctlfd = open(ctlpath, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (ctlfd < 0)
		die("%s: %s", ctlpath, strerror(errno));
}

static void command(char *line)
{
	char *arg = strchr(line, ' ');
	int on;
	if (arg)
		*arg++ = 0;
	on = arg && !strcmp(arg, "on");
	say("told: %s %s", line, arg ? arg : "");
	if (!strcmp(line, "plug")) want_plugged = 1;
	else if (!strcmp(line, "unplug")) want_plugged = 0;
	else if (!strcmp(line, "quit")) quitting = 1;
	else if (!strcmp(line, "show") && arg) { if (load_clip(arg, 0)) say("show: cannot load %s", arg); }
	else if (!strcmp(line, "freeze")) freeze_on = on;
	else if (!strcmp(line, "error")) error_on = on;
	else if (!strcmp(line, "truncate")) truncate_on = on;
	else if (!strcmp(line, "garbage")) garbage_on = on;
	else if (!strcmp(line, "stall-probe")) stall_probe = on;
	else if (!strcmp(line, "stall-commit")) stall_commit = on;
	else say("unknown command");
}

static void read_ctl(void)
{
	static char buf[4096];
	static size_t have;
	ssize_t r = read(ctlfd, buf + have, sizeof buf - 1 - have);
	char *nl;
	if (r <= 0)
		return;
	have += r;
	buf[have] = 0;
	while ((nl = strchr(buf, '\n'))) {
		*nl = 0;
		command(buf);
		have -= nl + 1 - buf;
		memmove(buf, nl + 1, have + 1);
	}
	if (have == sizeof buf - 1)
		have = 0;
}

// ---- feeding a V4L2 output node -------------------------------------------

static int feed(void)
{
	uint8_t *buf = NULL;
	size_t cap = 0, n;
	struct v4l2_format f = {.type = V4L2_BUF_TYPE_VIDEO_OUTPUT};
	unsigned num = 0;
	double next = now();
	int fd = open(outdev, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		die("%s: %s", outdev, strerror(errno));
	if (ioctl(fd, VIDIOC_G_FMT, &f))
		die("%s is no output: %s", outdev, strerror(errno));
	f.fmt.pix.width = raw[0].w;
	f.fmt.pix.height = raw[0].h;
	f.fmt.pix.pixelformat = v4l2_fourcc(outfmt[0], outfmt[1], outfmt[2], outfmt[3]);
	f.fmt.pix.field = V4L2_FIELD_NONE;
	f.fmt.pix.bytesperline = 0;
	f.fmt.pix.sizeimage = raw[0].w * raw[0].h * 2;
	if (ioctl(fd, VIDIOC_S_FMT, &f))
		die("VIDIOC_S_FMT: %s", strerror(errno));
	say("%s takes %.4s %ux%u", outdev, (char *)&f.fmt.pix.pixelformat, f.fmt.pix.width, f.fmt.pix.height);
	while (!quitting) {
		struct pollfd p = {ctlfd, POLLIN, 0};
		double left = next - now();
		if (poll(&p, 1, left > 0 ? (int)(left * 1000) + 1 : 0) > 0)
			read_ctl();
		if (now() < next)
			continue;
		next = now() + 1 / fps;
		if (freeze_on || !want_plugged)
			continue;
		n = picture(num++, f.fmt.pix.pixelformat, f.fmt.pix.width, f.fmt.pix.height, &buf, &cap);
		if (!n)
			die("the clip has no MJPEG of that size");
		if (write(fd, buf, n) < 0 && errno != EAGAIN)
			die("write: %s", strerror(errno));
	}
	return 0;
}

// ---- the USB camera --------------------------------------------------------

#define EP_IN 0x81
enum { SUBMIT = 1, UNLINK, RET_SUBMIT, RET_UNLINK };

struct pdu { uint32_t cmd, seq, devid, dir, ep, w[7]; };	// 48 bytes, big-endian
struct urb { uint32_t seq, len; };

static struct urb queue[256];
static int nqueue, sock = -1;
static uint8_t cfgdesc[2048];
static int cfglen;
static struct uvc_ctl { int fmt, frame; uint32_t interval; } cur = {1, 1, 0};
static int bright = 128;
static uint8_t *fbuf;
static size_t fcap, flen, fpos;
static int fid, streaming;
static unsigned fnum, sent;
static double deadline;

static void put16(uint8_t *p, unsigned v) { p[0] = v; p[1] = v >> 8; }
static void put32(uint8_t *p, uint32_t v) { put16(p, v); put16(p + 2, v >> 16); }

static uint8_t *desc(const uint8_t *d, int n)
{
	uint8_t *at = cfgdesc + cfglen;
	memcpy(at, d, n);
	cfglen += n;
	return at;
}
#define D(...) desc((const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

static int nformats(void) { return (njpg > 0) + 1; }
static int is_mjpg(int fmt) { return njpg > 0 && fmt == 1; }

static struct size framesize(int fmt, int frame)
{
	if (is_mjpg(fmt))
		return (struct size){jpg[frame - 1].w, jpg[frame - 1].h};
	return raw[frame - 1];
}

static int nframes(int fmt) { return is_mjpg(fmt) ? njpg : nraw; }
static uint32_t maxframe(struct size s) { return s.w * s.h * 2; }

static void frame_desc(int subtype, int idx, struct size s)
{
	static const int rates[] = {30, 15, 5};
	uint8_t *p = D(38, 0x24, subtype, idx, 0, 0,0, 0,0, 0,0,0,0, 0,0,0,0, 0,0,0,0, 0,0,0,0, 3,
		       0,0,0,0, 0,0,0,0, 0,0,0,0);
	put16(p + 5, s.w);
	put16(p + 7, s.h);
	put32(p + 9, maxframe(s) * 8 * 5);
	put32(p + 13, maxframe(s) * 8 * 30);
	put32(p + 17, maxframe(s));
	put32(p + 21, 10000000 / 15);
	for (int i = 0; i < 3; i++)
		put32(p + 26 + 4 * i, 10000000 / rates[i]);
}

static void build(void)
{
	uint8_t *vc, *vs;
	int i, f = 1, at;
	cfglen = 0;
	D(9, 2, 0, 0, 2, 1, 0, 0x80, 250);
	D(8, 0x0b, 0, 2, 0x0e, 3, 0, 2);
	D(9, 4, 0, 0, 0, 0x0e, 1, 0, 2);
	at = cfglen;
	vc = D(13, 0x24, 1, 0x00, 0x01, 0, 0, 0x00, 0x6c, 0xdc, 0x02, 1, 1);
	D(18, 0x24, 2, 1, 0x01, 0x02, 0, 0, 0, 0, 0, 0, 0, 0, 3, regulated ? 0x0a : 0, 0, 0);
	D(11, 0x24, 5, 2, 1, 0, 0, 2, 1, 0, 0);
	D(9, 0x24, 3, 3, 0x01, 0x01, 0, 2, 0);
	put16(vc + 5, cfglen - at);
	D(9, 4, 1, 0, 1, 0x0e, 2, 0, 0);
	at = cfglen;
	vs = D(13, 0x24, 1, nformats(), 0, 0, EP_IN, 0, 3, 0, 0, 0, 1);
	vs[0] += nformats();
	for (i = 0; i < nformats(); i++)
		cfgdesc[cfglen++] = 0;
	if (njpg) {
		D(11, 0x24, 6, f++, njpg, 0, 1, 0, 0, 0, 0);
		for (i = 0; i < njpg; i++)
			frame_desc(7, i + 1, (struct size){jpg[i].w, jpg[i].h});
		D(6, 0x24, 0x0d, 1, 1, 4);
	}
	D(27, 0x24, 4, f++, nraw, 'Y', 'U', 'Y', '2', 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71, 16, 1, 0, 0, 0, 0);
	for (i = 0; i < nraw; i++)
		frame_desc(5, i + 1, raw[i]);
	D(6, 0x24, 0x0d, 1, 1, 4);
	put16(vs + 4, cfglen - at);
	D(7, 5, EP_IN, 2, 0x00, 0x02, 0);
	put16(cfgdesc + 2, cfglen);
}

static int send_all(const void *p, size_t n)
{
	while (n) {
		ssize_t r = send(sock, p, n, MSG_NOSIGNAL);
		if (r < 0 && errno == EINTR)
			continue;
		if (r <= 0)
			return -1;
		p = (const char *)p + r;
		n -= r;
	}
	return 0;
}

static int recv_all(void *p, size_t n)
{
	while (n) {
		ssize_t r = recv(sock, p, n, 0);
		if (r < 0 && errno == EINTR)
			continue;
		if (r <= 0)
			return -1;
		p = (char *)p + r;
		n -= r;
	}
	return 0;
}

static int reply(uint32_t seq, int status, const void *data, size_t n, size_t actual)
{
	struct pdu r = {htonl(RET_SUBMIT), htonl(seq), 0, 0, 0, {htonl(status), htonl(actual)}};
	if (send_all(&r, sizeof r))
		return -1;
	return n ? send_all(data, n) : 0;
}

static int string_desc(int i, uint8_t *b)
{
	const char *s = i == 1 ? "login-kiosk" : i == 2 ? name : serial;
	int n = 2;
	if (i == 0) {
		memcpy(b, (uint8_t[]){4, 3, 9, 4}, 4);
		return 4;
	}
	for (; *s && n < 250; s++) {
		b[n++] = *s;
		b[n++] = 0;
	}
	b[0] = n;
	b[1] = 3;
	return n;
}

static void probe_data(uint8_t *b)
{
	struct size s = framesize(cur.fmt, cur.frame);
	memset(b, 0, 34);
	b[2] = cur.fmt;
	b[3] = cur.frame;
	put32(b + 4, cur.interval ? cur.interval : 10000000 / 15);
	put32(b + 18, maxframe(s));
	put32(b + 22, PAYLOAD);
}

// The camera terminal: how the exposure is regulated, and the exposure in units of 100 microseconds.
static int exposure_control(unsigned req, unsigned sel, const uint8_t *out, uint8_t *b)
{
	if (!regulated || (sel != 2 && sel != 4))
		return -1;
	if (req == UVC_SET_CUR) {
		if (!out || (sel == 4 && ae_mode != 1))
			return -1;
		if (sel == 2) {
			ae_mode = out[0];
			if (ae_mode != 1)
				exposure = regulated;
			say("exposure mode %d", ae_mode);
		} else {
			exposure = out[0] | out[1] << 8;
			say("exposure %d", exposure);
		}
		return 0;
	}
	if (req == UVC_GET_INFO) {
		b[0] = sel == 2 ? 3 : 11;
		return 1;
	}
	if (req == UVC_GET_LEN) {
		put16(b, sel == 2 ? 1 : 4);
		return 2;
	}
	if (sel == 2) {
		b[0] = req == UVC_GET_CUR ? ae_mode : req == UVC_GET_RES ? 9 : req == UVC_GET_DEF ? 8 : 0;
		return 1;
	}
	put32(b, req == UVC_GET_CUR ? exposure : req == UVC_GET_MAX ? 2047 : req == UVC_GET_DEF ? regulated : req == UVC_GET_MIN ? 3 : 1);
	return 4;
}

// A control request; returns the bytes to answer with, or -1 to refuse it.
static int control(const uint8_t *s, const uint8_t *out, uint8_t *b)
{
	unsigned type = s[0], req = s[1], value = s[2] | s[3] << 8, index = s[4] | s[5] << 8, len = s[6] | s[7] << 8;
	if ((type & 0x60) == 0) {
		switch (req) {
		case 0:
			put16(b, 0);
			return 2;
		case 6:
			if (value >> 8 == 1) {
				memcpy(b, (uint8_t[]){18, 1, 0, 2, 0xef, 2, 1, 64, 0, 0, 0, 0, 0, 1, 1, 2, 3, 1}, 18);
				put16(b + 8, vid);
				put16(b + 10, pid);
				return 18;
			}
			if (value >> 8 == 2) {
				memcpy(b, cfgdesc, cfglen);
				return cfglen;
			}
			if (value >> 8 == 3)
				return string_desc(value & 0xff, b);
			return -1;
		case 8:
			b[0] = 1;
			return 1;
		case 1: case 9: case 11:
			if (req == 1 || req == 11) {	// CLEAR_FEATURE(halt), SET_INTERFACE: the stream ends
				if (streaming)
					say("stream stops after %u frames", sent);
				streaming = 0;
			}
			return 0;
		}
		return -1;
	}
	if ((type & 0x60) != 0x20)
		return -1;
	if ((index & 0xff) == 0) {			// video control interface
		unsigned unit = index >> 8, sel = value >> 8;
		if (unit == 0 && sel == 2) {
			b[0] = 0;
			return 1;
		}
		if (unit == 1)
			return exposure_control(req, sel, out, b);
		if (unit != 2 || sel != 2)
			return -1;
		if (req == UVC_SET_CUR && out) {
			bright = out[0] | out[1] << 8;
			return 0;
		}
		if (req == UVC_GET_INFO) {
			b[0] = 3;
			return 1;
		}
		if (req == UVC_GET_LEN) {
			put16(b, 2);
			return 2;
		}
		put16(b, req == UVC_GET_CUR ? bright : req == UVC_GET_MAX ? 255 : req == UVC_GET_RES ? 1 : req == UVC_GET_DEF ? 128 : 0);
		return 2;
	}
	unsigned sel = value >> 8;			// probe (1), commit (2)
	if (sel != 1 && sel != 2)
		return -1;
	if (req == UVC_SET_CUR) {
		if ((sel == 1 && stall_probe) || (sel == 2 && stall_commit)) {
			say("refused %s", sel == 1 ? "probe" : "commit");
			return -1;
		}
		if (!out || len < 26)
			return -1;
		cur.fmt = out[2] < 1 || out[2] > nformats() ? 1 : out[2];
		cur.frame = out[3] < 1 || out[3] > nframes(cur.fmt) ? 1 : out[3];
		cur.interval = out[4] | out[5] << 8 | out[6] << 16 | (uint32_t)out[7] << 24;
		if (sel == 2) {
			struct size z = framesize(cur.fmt, cur.frame);
			streaming = 1;
			fpos = flen = 0;
			sent = 0;
			deadline = now();
			say("stream starts: %s %dx%d", is_mjpg(cur.fmt) ? "MJPG" : "YUYV", z.w, z.h);
		}
		return 0;
	}
	if (req == UVC_GET_LEN) {
		put16(b, 26);
		return 2;
	}
	if (req == UVC_GET_INFO) {
		b[0] = 3;
		return 1;
	}
	probe_data(b);
	return 26;
}

static int pump(void)
{
	static uint8_t pkt[PAYLOAD];
	while (nqueue && streaming) {
		if (fpos == flen) {
			double t = now();
			struct size s = framesize(cur.fmt, cur.frame);
			double wait = 1 / fps;
			if (freeze_on || t < deadline)
				return 0;
			if (cur.interval && cur.interval / 1e7 > wait)
				wait = cur.interval / 1e7;
			deadline = deadline + wait < t ? t + wait / 2 : deadline + wait;
			flen = picture(fnum++, is_mjpg(cur.fmt) ? V4L2_PIX_FMT_MJPEG : V4L2_PIX_FMT_YUYV, s.w, s.h, &fbuf, &fcap);
			fpos = 0;
			fid ^= 1;
			sent++;
		}
		struct urb u = queue[0];
		size_t room = u.len < PAYLOAD ? u.len : PAYLOAD, n = flen - fpos;
		if (room < 3)
			return -1;
		if (n > room - 2)
			n = room - 2;
		memcpy(pkt + 2, fbuf + fpos, n);
		fpos += n;
		pkt[0] = 2;
		pkt[1] = 0x80 | fid | (fpos == flen ? 2 : 0) | (error_on ? 0x40 : 0);
		memmove(queue, queue + 1, --nqueue * sizeof *queue);
		if (reply(u.seq, 0, pkt, n + 2, n + 2))
			return -1;
	}
	return 0;
}

static int handle(void)
{
	static uint8_t in[4096], out[65536];
	struct pdu p;
	uint32_t seq, len;
	int i, n;
	if (recv_all(&p, sizeof p))
		return -1;
	seq = ntohl(p.seq);
	if (ntohl(p.cmd) == UNLINK) {
		uint32_t victim = ntohl(p.w[0]);
		struct pdu r = {htonl(RET_UNLINK), htonl(seq), 0, 0, 0, {0}};
		for (i = 0; i < nqueue; i++)
			if (queue[i].seq == victim) {
				memmove(queue + i, queue + i + 1, (--nqueue - i) * sizeof *queue);
				r.w[0] = htonl(-ECONNRESET);
				break;
			}
		return send_all(&r, sizeof r);
	}
	if (ntohl(p.cmd) != SUBMIT)
		return -1;
	len = ntohl(p.w[1]);
	if (ntohl(p.dir) == 0 && len) {
		if (len > sizeof out || recv_all(out, len))
			return -1;
	}
	if (ntohl(p.ep) != 0) {
		if (ntohl(p.dir) == 0 || nqueue == 256)
			return reply(seq, -EPIPE, NULL, 0, 0);
		queue[nqueue++] = (struct urb){seq, len};
		return 0;
	}
	const uint8_t *setup = (const uint8_t *)&p.w[5];
	n = control(setup, ntohl(p.dir) == 0 && len ? out : NULL, in);
	if (n < 0)
		return reply(seq, -EPIPE, NULL, 0, 0);
	if (ntohl(p.dir) == 0)
		return reply(seq, 0, NULL, 0, len);
	if ((uint32_t)n > len)
		n = len;
	return reply(seq, 0, in, n, n);
}

static int plug(void)
{
	int sv[2], fd;
	char line[64];
	build();
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sv))
		die("socketpair: %s", strerror(errno));
	fd = open("/sys/devices/platform/vhci_hcd.0/attach", O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		die("vhci_hcd's attach: %s (modprobe vhci_hcd?)", strerror(errno));
	snprintf(line, sizeof line, "%d %d %d %d", port, sv[1], 0x10001 + port, 3);
	for (int i = 0; write(fd, line, strlen(line)) < 0; i++) {
		if (errno != EBUSY || i == 100)
			die("attach: %s", strerror(errno));
		usleep(50000);		// the last unplug is still being worked on
	}
	close(fd);
	close(sv[1]);
	sock = sv[0];
	nqueue = streaming = 0;
	say("plugged");
	return 0;
}

static void unplug(void)
{
	if (sock < 0)
		return;
	close(sock);
	sock = -1;
	nqueue = streaming = 0;
	say("unplugged");
}

static int camera(void)
{
	while (!quitting) {
		struct pollfd p[2] = {{ctlfd, POLLIN, 0}, {sock, POLLIN, 0}};
		int ms = 500;
		if (want_plugged && sock < 0)
			plug();
		if (!want_plugged)
			unplug();
		p[1].fd = sock;
		if (streaming && nqueue && !freeze_on) {
			double left = deadline - now();
			ms = fpos < flen ? 0 : left > 0 ? (int)(left * 1000) + 1 : 0;
		}
		if (poll(p, sock < 0 ? 1 : 2, ms) < 0 && errno != EINTR)
			die("poll: %s", strerror(errno));
		if (p[0].revents)
			read_ctl();
		if (sock >= 0 && p[1].revents && handle()) {
			say("the kernel closed the connection");
			unplug();
			want_plugged = 0;
		}
		if (sock >= 0 && pump()) {
			say("sending failed: %s", strerror(errno));
			unplug();
			want_plugged = 0;
		}
	}
	unplug();
	return 0;
}

static void on_signal(int s) { (void)s; quitting = 1; }

int main(int argc, char **argv)
{
	int i;
	signal(SIGTERM, on_signal);
	signal(SIGINT, on_signal);
	signal(SIGPIPE, SIG_IGN);
	for (i = 1; i < argc && argv[i][0] == '-'; i++) {
		const char *o = argv[i], *v = i + 1 < argc ? argv[i + 1] : "";
		i++;
		if (!strcmp(o, "--size") && nraw < MAXSIZES && sscanf(v, "%dx%d", &raw[nraw].w, &raw[nraw].h) == 2) nraw++;
		else if (!strcmp(o, "--fps") && atof(v) > 0) fps = atof(v);
		else if (!strcmp(o, "--name")) name = v;
		else if (!strcmp(o, "--serial")) serial = v;
		else if (!strcmp(o, "--port")) port = atoi(v);
		else if (!strcmp(o, "--ctl")) ctlpath = v;
		else if (!strcmp(o, "--exposure")) exposure = regulated = atoi(v);
		else if (!strcmp(o, "--out")) outdev = v;
		else if (!strcmp(o, "--format") && strlen(v) == 4) outfmt = v;
		else die("what is %s %s?", o, v);
	}
	if (i + 1 != argc)
		die("usage: fakecam [options] CLIP");
	if (!nraw)
		raw[nraw++] = (struct size){640, 480};
	if (load_clip(argv[i], 1))
		die("%s holds no clip", argv[i]);
	open_ctl();
	return outdev ? feed() : camera();
}
