// SPDX-License-Identifier: Apache-2.0
#include "CJPEG.h"
// Before jpeglib.h, which uses FILE.
#include <stdio.h>
#include <jpeglib.h>
#include <jerror.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

// docs/decisions/0108-whole-jpegs.md

struct reading {
    struct jpeg_error_mgr errors;
    jmp_buf leave;
    int has_flaws;
    char *message;
};

static void leave(j_common_ptr jpeg) {
    struct reading *reading = (struct reading *)jpeg->err;
    (*jpeg->err->format_message)(jpeg, reading->message);
    longjmp(reading->leave, 1);
}

// Warnings after which all blocks of a picture may still have been decoded.
static int is_harmless(int warning) {
    switch (warning) {
    // Bytes between the last block before a marker and the marker, as many webcams write them.
    case JWRN_EXTRANEOUS_DATA:
    // The end marker is missing. Where a block is missing, too, JWRN_HIT_MARKER follows.
    case JWRN_JPEG_EOF:
    // The file's statements about its maker, its colours and the order of its scans.
    case JWRN_ADOBE_XFORM:
    case JWRN_BOGUS_PROGRESSION:
    case JWRN_JFIF_MAJOR:
    case JWRN_NOT_SEQUENTIAL:
    case JWRN_BOGUS_ICC:
        return 1;
    default: return 0;
    }
}

static void hear(j_common_ptr jpeg, int level) {
    struct reading *reading = (struct reading *)jpeg->err;
    // Not negative: a trace of what is done.
    if (level >= 0) return;
    if (!is_harmless(jpeg->err->msg_code)) leave(jpeg);
    if (!reading->has_flaws) (*jpeg->err->format_message)(jpeg, reading->message);
    reading->has_flaws = 1;
}

static void be_silent(j_common_ptr jpeg) { (void)jpeg; }

static void begin(struct jpeg_decompress_struct *jpeg, struct reading *reading, char *message) {
    memset(jpeg, 0, sizeof *jpeg);
    message[0] = 0;
    reading->message = message;
    reading->has_flaws = 0;
    jpeg->err = jpeg_std_error(&reading->errors);
    reading->errors.error_exit = leave;
    reading->errors.emit_message = hear;
    reading->errors.output_message = be_silent;
}

static enum cjpeg_verdict fail(struct jpeg_decompress_struct *jpeg) {
    jpeg_destroy_decompress(jpeg);
    return CJPEG_BROKEN;
}

enum cjpeg_verdict cjpeg_size(const uint8_t *bytes, size_t count, int *width, int *height, char *message) {
    struct jpeg_decompress_struct jpeg;
    struct reading reading;
    begin(&jpeg, &reading, message);
    if (setjmp(reading.leave)) return fail(&jpeg);
    jpeg_create_decompress(&jpeg);
    jpeg_mem_src(&jpeg, bytes, count);
    jpeg_read_header(&jpeg, TRUE);
    *width = (int)jpeg.image_width;
    *height = (int)jpeg.image_height;
    jpeg_destroy_decompress(&jpeg);
    return reading.has_flaws ? CJPEG_FLAWED : CJPEG_WHOLE;
}

// Of a file whose scans bring the picture bit by bit, or colour by colour: whether one of them is missing.
static int lacks_scans(const struct jpeg_decompress_struct *jpeg) {
    for (int index = 0; index < jpeg->num_components; index++) {
        const jpeg_component_info *component = &jpeg->comp_info[index];
        if (component->component_needed && component->quant_table == NULL) return 1;
        for (int bit = 0; jpeg->coef_bits && component->component_needed && bit < DCTSIZE2; bit++)
            if (jpeg->coef_bits[index][bit] != 0) return 1;
    }
    return 0;
}

// Inks to luma. Adobe's programs write how much light they leave, others how much they take.
static void to_luma(const JSAMPLE *inks, uint8_t *target, int width, int leaves_light) {
    for (int x = 0; x < width; x++, inks += 4) {
        unsigned light[4];
        for (int ink = 0; ink < 4; ink++) light[ink] = leaves_light ? inks[ink] : 255u - inks[ink];
        target[x] = (uint8_t)((light[0] * 77 + light[1] * 150 + light[2] * 29) / 256 * light[3] / 255);
    }
}

enum cjpeg_verdict cjpeg_luma(
    const uint8_t *bytes, size_t count, int divisor, int is_fast, uint8_t *target, int width, int height,
    char *message) {
    struct jpeg_decompress_struct jpeg;
    struct reading reading;
    begin(&jpeg, &reading, message);
    if (setjmp(reading.leave)) return fail(&jpeg);
    jpeg_create_decompress(&jpeg);
    jpeg_mem_src(&jpeg, bytes, count);
    jpeg_read_header(&jpeg, TRUE);
    int has_inks = jpeg.jpeg_color_space == JCS_CMYK || jpeg.jpeg_color_space == JCS_YCCK;
    jpeg.out_color_space = has_inks ? JCS_CMYK : JCS_GRAYSCALE;
    jpeg.dct_method = is_fast ? JDCT_IFAST : JDCT_ISLOW;
    jpeg.scale_num = 1;
    jpeg.scale_denom = (unsigned)divisor;
    jpeg_start_decompress(&jpeg);
    if ((int)jpeg.output_width != width || (int)jpeg.output_height != height) ERREXIT(&jpeg, JERR_WIDTH_OVERFLOW);
    JSAMPARRAY row = NULL;
    if (has_inks)
        row = (*jpeg.mem->alloc_sarray)((j_common_ptr)&jpeg, JPOOL_IMAGE, (JDIMENSION)width * 4, 1);
    while ((int)jpeg.output_scanline < height) {
        uint8_t *line = target + (size_t)jpeg.output_scanline * (size_t)width;
        if (jpeg_read_scanlines(&jpeg, has_inks ? row : &line, 1) != 1) ERREXIT(&jpeg, JERR_INPUT_EOF);
        if (has_inks) to_luma(row[0], line, width, jpeg.saw_Adobe_marker);
    }
    // Bytes after the last block are ignored.
    if (reading.has_flaws && lacks_scans(&jpeg)) ERREXIT(&jpeg, JERR_INPUT_EOF);
    jpeg_destroy_decompress(&jpeg);
    return reading.has_flaws ? CJPEG_FLAWED : CJPEG_WHOLE;
}

static void end_process(j_common_ptr jpeg) {
    (void)jpeg;
    abort();
}

uint8_t *cjpeg_encode(const uint8_t *luma, int width, int height, int quality, size_t *count) {
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    unsigned char *bytes = NULL;
    unsigned long size = 0;
    // Only memory can be missing. The process ends then, as Swift's would.
    jpeg.err = jpeg_std_error(&errors);
    errors.error_exit = end_process;
    jpeg_create_compress(&jpeg);
    jpeg_mem_dest(&jpeg, &bytes, &size);
    jpeg.image_width = (JDIMENSION)width;
    jpeg.image_height = (JDIMENSION)height;
    jpeg.input_components = 1;
    jpeg.in_color_space = JCS_GRAYSCALE;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, quality, TRUE);
    jpeg_start_compress(&jpeg, TRUE);
    for (int row = 0; row < height; row++) {
        JSAMPROW line = (JSAMPROW)luma + (size_t)row * (size_t)width;
        jpeg_write_scanlines(&jpeg, &line, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    *count = size;
    return bytes;
}
