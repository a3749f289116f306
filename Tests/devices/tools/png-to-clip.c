// SPDX-License-Identifier: Apache-2.0
// Makes a clip for fakecam of a PNG picture on standard input: for codes that exist at run time only.
//
//   png-to-clip FOLDER
//
// 640 x 480 pixels, grey and as JPEG: the picture on a wall, enlarged by a whole number so that its height fits, in six
// frames that a hand moves a little. The JPEGs have spare bytes before their restart markers, as Logitech's C270 and C910
// send them.
#include <errno.h>
#include <stdio.h>
#include <jpeglib.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { WIDTH = 640, HEIGHT = 480, COUNT = 6, WALL = 150 };

static unsigned char frame[HEIGHT][WIDTH];

static void write_jpeg(FILE *out)
{
	struct jpeg_compress_struct jpeg;
	struct jpeg_error_mgr errors;
	unsigned char *bytes = NULL;
	unsigned long count = 0;

	jpeg.err = jpeg_std_error(&errors);
	jpeg_create_compress(&jpeg);
	jpeg_mem_dest(&jpeg, &bytes, &count);
	jpeg.image_width = WIDTH;
	jpeg.image_height = HEIGHT;
	jpeg.input_components = 1;
	jpeg.in_color_space = JCS_GRAYSCALE;
	jpeg_set_defaults(&jpeg);
	jpeg_set_quality(&jpeg, 85, TRUE);
	jpeg.restart_in_rows = 1;
	jpeg_start_compress(&jpeg, TRUE);
	for (int y = 0; y < HEIGHT; y++) {
		JSAMPROW row = frame[y];
		jpeg_write_scanlines(&jpeg, &row, 1);
	}
	jpeg_finish_compress(&jpeg);
	jpeg_destroy_compress(&jpeg);
	for (unsigned long i = 0; i < count; i++) {
		if (bytes[i] == 0xff && i + 1 < count && bytes[i + 1] >= 0xd0 && bytes[i + 1] <= 0xd7)
			fwrite("\0\x77\x3a", 1, 1 + i % 3, out);
		putc(bytes[i], out);
	}
	free(bytes);
}

int main(int argc, char **argv)
{
	png_image picture = { .version = PNG_IMAGE_VERSION };
	char path[4096];

	if (argc != 2 || !png_image_begin_read_from_stdio(&picture, stdin)) {
		fprintf(stderr, "png-to-clip: %s\n", argc == 2 ? picture.message : "name a folder");
		return 64;
	}
	picture.format = PNG_FORMAT_GRAY;
	unsigned char *pixels = malloc(PNG_IMAGE_SIZE(picture));
	if (!pixels || !png_image_finish_read(&picture, NULL, pixels, 0, NULL)) {
		fprintf(stderr, "png-to-clip: %s\n", picture.message);
		return 65;
	}
	int width = picture.width, height = picture.height, shrink = 1;
	while (height / shrink > HEIGHT - 40 || width / shrink > WIDTH - 40)
		shrink++;
	int scale = (HEIGHT - 40) / (height / shrink);
	if (scale < 1)
		scale = 1;
	if (mkdir(argv[1], 0755) && errno != EEXIST) {
		perror(argv[1]);
		return 73;
	}
	snprintf(path, sizeof path, "%s/frames.pgm", argv[1]);
	FILE *out = fopen(path, "wb");
	if (!out) {
		perror(path);
		return 73;
	}
	snprintf(path, sizeof path, "%s/%dx%d.mjpg", argv[1], WIDTH, HEIGHT);
	FILE *packed = fopen(path, "wb");
	if (!packed) {
		perror(path);
		return 73;
	}
	for (int n = 0; n < COUNT; n++) {
		int w = width / shrink * scale, h = height / shrink * scale;
		int left = (WIDTH - w) / 2 + n % 3 * 3 - 3, top = (HEIGHT - h) / 2 + n % 2 * 4 - 2;
		memset(frame, WALL, sizeof frame);
		for (int y = 0; y < h; y++)
			for (int x = 0; x < w; x++)
				frame[top + y][left + x] = pixels[(size_t)(y / scale * shrink) * width + x / scale * shrink];
		fprintf(out, "P5\n%d %d\n255\n", WIDTH, HEIGHT);
		fwrite(frame, 1, sizeof frame, out);
		write_jpeg(packed);
	}
	if (fclose(out) || fclose(packed)) {
		perror(path);
		return 74;
	}
	return 0;
}
