// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
/*
 * kpsim: a GPIO chip with a simulated matrix keypad wired to it.
 *
 * The chip has rows + cols + extra lines:
 *     0 .. rows-1             row wires        (names KP_ROW0 ...)
 *     rows .. rows+cols-1     column wires     (names KP_COL0 ...)
 *     rows+cols ..            lone lines       (names KP_EXTRA0 ...)
 * A pressed key joins its row wire to its column wire.  Wires that pressed
 * keys join, directly or through other wires, form one net with one level, so
 * "ghost" keys come out as they do on a real keypad without diodes:
 *     - a net with a driven wire has that level (low wins; if both levels are
 *       driven the "conflicts" counter goes up: on real hardware a short);
 *     - otherwise a pull-up or pull-down asked for by the program, or put
 *       there by ext_pull, decides;
 *     - otherwise it floats: it reads as float_level (0, 1, or 2 = changes).
 * Edges raise interrupts, so line events work.  Everything is worked out at
 * once when something changes: there is no helper process to race with.
 *
 * Files in /sys/bus/platform/devices/kpsim.0/ :
 *     press, release   write "ROW COL"
 *     release_all      write anything
 *     ext              write "LINE up|down|none": an outside pull on a line
 *     state            read: one text line for each GPIO line
 *     conflicts        read: times two wires fought; write: back to 0
 *     reads            read: times a program read a level
 * Unplug and replug: write kpsim.0 to /sys/bus/platform/drivers/kpsim/unbind
 * and .../bind.  If a program had lines of the chip when it
 * was taken away, bind it again only with names=0: Linux 6.1 keeps the old chip
 * on its list and crashes in gpio_name_to_desc when named lines are added.
 */
#include <linux/bitmap.h>
#include <linux/gpio/driver.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/irq_work.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/version.h>

#define KP_MAX 32

static int rows = 4;
module_param(rows, int, 0444);
MODULE_PARM_DESC(rows, "row wires (default 4)");
static int cols = 4;
module_param(cols, int, 0444);
MODULE_PARM_DESC(cols, "column wires (default 4)");
static int extra = 4;
module_param(extra, int, 0444);
MODULE_PARM_DESC(extra, "lone lines after the keypad's (default 4)");
static int float_level = 2;
module_param(float_level, int, 0644);
MODULE_PARM_DESC(float_level, "what a floating wire reads: 0, 1, 2 = changes from read to read");
static int no_bias;
module_param(no_bias, int, 0644);
MODULE_PARM_DESC(no_bias, "1: refuse pull requests, as chips without pull resistors do");

static int names = 1;
module_param(names, int, 0644);
MODULE_PARM_DESC(names, "0: lines without names (default 1)");

enum { PULL_NONE, PULL_UP, PULL_DOWN };

struct kpsim {
	struct gpio_chip gc;
	raw_spinlock_t lock;
	struct irq_work work;
	unsigned int n;
	DECLARE_BITMAP(pending, KP_MAX);
	u8 out[KP_MAX];		/* 1: driven by us */
	u8 val[KP_MAX];		/* level driven */
	u8 bias[KP_MAX];
	u8 ext[KP_MAX];
	u8 level[KP_MAX];	/* level of the net */
	u8 floating[KP_MAX];
	u8 irq_on[KP_MAX];
	u8 irq_type[KP_MAX];
	u32 keys[KP_MAX];	/* for each row, a bit for each column */
	u8 noise;
	unsigned long conflicts, reads;
	const char *names[KP_MAX];
	char namebuf[KP_MAX][16];
};

/* Work the levels of all nets out again; called with the lock held. */
static void kp_solve(struct kpsim *k)
{
	u8 net[KP_MAX];
	unsigned int i, j, r, c;
	bool again;

	for (i = 0; i < k->n; i++)
		net[i] = i;
	do {
		again = false;
		for (r = 0; r < rows; r++)
			for (c = 0; c < cols; c++) {
				u8 a = net[r], b = net[rows + c];

				if (!(k->keys[r] & BIT(c)) || a == b)
					continue;
				if (a < b)
					net[rows + c] = a;
				else
					net[r] = b;
				again = true;
			}
	} while (again);

	for (i = 0; i < k->n; i++) {
		bool lo = false, hi = false, up = false, down = false;
		u8 lvl, fl = 0;

		for (j = 0; j < k->n; j++) {
			if (net[j] != net[i])
				continue;
			if (k->out[j]) {
				lo |= !k->val[j];
				hi |= k->val[j];
			}
			up |= k->bias[j] == PULL_UP || k->ext[j] == PULL_UP;
			down |= k->bias[j] == PULL_DOWN || k->ext[j] == PULL_DOWN;
		}
		if (lo && hi && net[i] == i)
			k->conflicts++;
		if (lo)
			lvl = 0;
		else if (hi)
			lvl = 1;
		else if (up || down)
			lvl = up;
		else {
			fl = 1;
			lvl = float_level == 1;
		}
		k->floating[i] = fl;
		if (lvl != k->level[i]) {
			k->level[i] = lvl;
			if (k->irq_on[i] &&
			    (k->irq_type[i] & (lvl ? IRQ_TYPE_EDGE_RISING :
						     IRQ_TYPE_EDGE_FALLING)))
				__set_bit(i, k->pending);
		}
	}
	if (!bitmap_empty(k->pending, KP_MAX))
		irq_work_queue(&k->work);
}

static void kp_work(struct irq_work *w)
{
	struct kpsim *k = container_of(w, struct kpsim, work);
	DECLARE_BITMAP(todo, KP_MAX);
	unsigned long flags;
	unsigned int i;

	raw_spin_lock_irqsave(&k->lock, flags);
	bitmap_copy(todo, k->pending, KP_MAX);
	bitmap_zero(k->pending, KP_MAX);
	raw_spin_unlock_irqrestore(&k->lock, flags);
	for_each_set_bit(i, todo, KP_MAX)
		generic_handle_domain_irq(k->gc.irq.domain, i);
}

static int kp_get_direction(struct gpio_chip *gc, unsigned int o)
{
	struct kpsim *k = gpiochip_get_data(gc);

	return k->out[o] ? GPIO_LINE_DIRECTION_OUT : GPIO_LINE_DIRECTION_IN;
}

static int kp_drive(struct kpsim *k, unsigned int o, bool out, int v)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&k->lock, flags);
	k->out[o] = out;
	if (out)
		k->val[o] = !!v;
	kp_solve(k);
	raw_spin_unlock_irqrestore(&k->lock, flags);
	return 0;
}

static int kp_dir_in(struct gpio_chip *gc, unsigned int o)
{
	return kp_drive(gpiochip_get_data(gc), o, false, 0);
}

static int kp_dir_out(struct gpio_chip *gc, unsigned int o, int v)
{
	return kp_drive(gpiochip_get_data(gc), o, true, v);
}

static int kp_get(struct gpio_chip *gc, unsigned int o)
{
	struct kpsim *k = gpiochip_get_data(gc);
	unsigned long flags;
	int v;

	raw_spin_lock_irqsave(&k->lock, flags);
	k->reads++;
	v = k->level[o];
	if (k->floating[o] && float_level == 2)
		v = (k->noise = k->noise * 5 + 3) >> 7 & 1;
	raw_spin_unlock_irqrestore(&k->lock, flags);
	return v;
}

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 17, 0)
static int kp_set(struct gpio_chip *gc, unsigned int o, int v)
{
	return kp_drive(gpiochip_get_data(gc), o, true, v);
}
#else
static void kp_set(struct gpio_chip *gc, unsigned int o, int v)
{
	kp_drive(gpiochip_get_data(gc), o, true, v);
}
#endif

static int kp_set_config(struct gpio_chip *gc, unsigned int o, unsigned long cfg)
{
	struct kpsim *k = gpiochip_get_data(gc);
	unsigned long flags;
	u8 b;

	switch (pinconf_to_config_param(cfg)) {
	case PIN_CONFIG_BIAS_PULL_UP:
		b = PULL_UP;
		break;
	case PIN_CONFIG_BIAS_PULL_DOWN:
		b = PULL_DOWN;
		break;
	case PIN_CONFIG_BIAS_DISABLE:
		b = PULL_NONE;
		break;
	default:
		return -ENOTSUPP;
	}
	if (no_bias)
		return -ENOTSUPP;
	raw_spin_lock_irqsave(&k->lock, flags);
	k->bias[o] = b;
	kp_solve(k);
	raw_spin_unlock_irqrestore(&k->lock, flags);
	return 0;
}

static void kp_free(struct gpio_chip *gc, unsigned int o)
{
	/* A line that its program let go of is an input without pulls again. */
	struct kpsim *k = gpiochip_get_data(gc);
	unsigned long flags;

	raw_spin_lock_irqsave(&k->lock, flags);
	k->out[o] = 0;
	k->bias[o] = PULL_NONE;
	kp_solve(k);
	raw_spin_unlock_irqrestore(&k->lock, flags);
}

static void kp_irq_mask(struct irq_data *d)
{
	struct gpio_chip *gc = irq_data_get_irq_chip_data(d);
	struct kpsim *k = gpiochip_get_data(gc);

	k->irq_on[irqd_to_hwirq(d)] = 0;
	gpiochip_disable_irq(gc, irqd_to_hwirq(d));
}

static void kp_irq_unmask(struct irq_data *d)
{
	struct gpio_chip *gc = irq_data_get_irq_chip_data(d);
	struct kpsim *k = gpiochip_get_data(gc);

	gpiochip_enable_irq(gc, irqd_to_hwirq(d));
	k->irq_on[irqd_to_hwirq(d)] = 1;
}

static int kp_irq_type(struct irq_data *d, unsigned int type)
{
	struct gpio_chip *gc = irq_data_get_irq_chip_data(d);
	struct kpsim *k = gpiochip_get_data(gc);

	if (type & ~IRQ_TYPE_EDGE_BOTH)
		return -EINVAL;
	k->irq_type[irqd_to_hwirq(d)] = type;
	return 0;
}

static const struct irq_chip kp_irq_chip = {
	.name = "kpsim",
	.irq_mask = kp_irq_mask,
	.irq_unmask = kp_irq_unmask,
	.irq_set_type = kp_irq_type,
	.flags = IRQCHIP_IMMUTABLE,
	GPIOCHIP_IRQ_RESOURCE_HELPERS,
};

static ssize_t kp_key(struct device *dev, const char *buf, size_t len, bool down)
{
	struct kpsim *k = dev_get_drvdata(dev);
	unsigned long flags;
	int r, c;

	if (sscanf(buf, "%d %d", &r, &c) != 2 || r < 0 || r >= rows ||
	    c < 0 || c >= cols)
		return -EINVAL;
	raw_spin_lock_irqsave(&k->lock, flags);
	if (down)
		k->keys[r] |= BIT(c);
	else
		k->keys[r] &= ~BIT(c);
	kp_solve(k);
	raw_spin_unlock_irqrestore(&k->lock, flags);
	return len;
}

static ssize_t press_store(struct device *d, struct device_attribute *a,
			   const char *buf, size_t len)
{
	return kp_key(d, buf, len, true);
}
static DEVICE_ATTR_WO(press);

static ssize_t release_store(struct device *d, struct device_attribute *a,
			     const char *buf, size_t len)
{
	return kp_key(d, buf, len, false);
}
static DEVICE_ATTR_WO(release);

static ssize_t release_all_store(struct device *d, struct device_attribute *a,
				 const char *buf, size_t len)
{
	struct kpsim *k = dev_get_drvdata(d);
	unsigned long flags;

	raw_spin_lock_irqsave(&k->lock, flags);
	memset(k->keys, 0, sizeof(k->keys));
	kp_solve(k);
	raw_spin_unlock_irqrestore(&k->lock, flags);
	return len;
}
static DEVICE_ATTR_WO(release_all);

static ssize_t ext_store(struct device *d, struct device_attribute *a,
			 const char *buf, size_t len)
{
	struct kpsim *k = dev_get_drvdata(d);
	unsigned long flags;
	unsigned int i;
	char s[8];
	u8 p;

	if (sscanf(buf, "%u %7s", &i, s) != 2 || i >= k->n)
		return -EINVAL;
	if (!strcmp(s, "up"))
		p = PULL_UP;
	else if (!strcmp(s, "down"))
		p = PULL_DOWN;
	else if (!strcmp(s, "none"))
		p = PULL_NONE;
	else
		return -EINVAL;
	raw_spin_lock_irqsave(&k->lock, flags);
	k->ext[i] = p;
	kp_solve(k);
	raw_spin_unlock_irqrestore(&k->lock, flags);
	return len;
}
static DEVICE_ATTR_WO(ext);

static ssize_t state_show(struct device *d, struct device_attribute *a, char *buf)
{
	static const char * const pull[] = { "none", "up", "down" };
	struct kpsim *k = dev_get_drvdata(d);
	unsigned int i;
	ssize_t n = 0;

	for (i = 0; i < k->n; i++)
		n += sysfs_emit_at(buf, n, "%u %s %s level=%u pull=%s ext=%s%s\n",
				   i, k->names[i], k->out[i] ? "out" : "in",
				   k->level[i], pull[k->bias[i]], pull[k->ext[i]],
				   k->floating[i] ? " floating" : "");
	return n;
}
static DEVICE_ATTR_RO(state);

static ssize_t conflicts_show(struct device *d, struct device_attribute *a, char *buf)
{
	struct kpsim *k = dev_get_drvdata(d);

	return sysfs_emit(buf, "%lu\n", k->conflicts);
}

static ssize_t conflicts_store(struct device *d, struct device_attribute *a,
			       const char *buf, size_t len)
{
	struct kpsim *k = dev_get_drvdata(d);

	k->conflicts = 0;
	return len;
}
static DEVICE_ATTR_RW(conflicts);

static ssize_t reads_show(struct device *d, struct device_attribute *a, char *buf)
{
	struct kpsim *k = dev_get_drvdata(d);

	return sysfs_emit(buf, "%lu\n", k->reads);
}
static DEVICE_ATTR_RO(reads);

static struct attribute *kp_attrs[] = {
	&dev_attr_press.attr, &dev_attr_release.attr, &dev_attr_release_all.attr,
	&dev_attr_ext.attr, &dev_attr_state.attr, &dev_attr_conflicts.attr,
	&dev_attr_reads.attr, NULL
};
ATTRIBUTE_GROUPS(kp);

static void kp_stop(void *data)
{
	irq_work_sync(&((struct kpsim *)data)->work);
}

static int kp_probe(struct platform_device *pdev)
{
	struct device *dev = &pdev->dev;
	struct gpio_irq_chip *girq;
	struct kpsim *k;
	unsigned int i;
	int ret;

	k = devm_kzalloc(dev, sizeof(*k), GFP_KERNEL);
	if (!k)
		return -ENOMEM;
	raw_spin_lock_init(&k->lock);
	init_irq_work(&k->work, kp_work);
	k->n = rows + cols + extra;
	for (i = 0; i < k->n; i++) {
		if (i < rows)
			snprintf(k->namebuf[i], 16, "KP_ROW%u", i);
		else if (i < rows + cols)
			snprintf(k->namebuf[i], 16, "KP_COL%u", i - rows);
		else
			snprintf(k->namebuf[i], 16, "KP_EXTRA%u", i - rows - cols);
		k->names[i] = k->namebuf[i];
	}
	k->gc.label = "kpsim";
	k->gc.parent = dev;
	k->gc.owner = THIS_MODULE;
	k->gc.base = -1;
	k->gc.ngpio = k->n;
	k->gc.names = names ? k->names : NULL;
	k->gc.get_direction = kp_get_direction;
	k->gc.direction_input = kp_dir_in;
	k->gc.direction_output = kp_dir_out;
	k->gc.get = kp_get;
	k->gc.set = kp_set;
	k->gc.set_config = kp_set_config;
	k->gc.free = kp_free;
	girq = &k->gc.irq;
	gpio_irq_chip_set_chip(girq, &kp_irq_chip);
	girq->handler = handle_simple_irq;
	girq->default_type = IRQ_TYPE_NONE;
	kp_solve(k);
	platform_set_drvdata(pdev, k);
	ret = devm_add_action_or_reset(dev, kp_stop, k);
	if (ret)
		return ret;
	return devm_gpiochip_add_data(dev, &k->gc, k);
}

static struct platform_driver kp_driver = {
	.probe = kp_probe,
	.driver = { .name = "kpsim", .dev_groups = kp_groups },
};
static struct platform_device *kp_dev;

static int __init kp_init(void)
{
	int ret;

	if (rows < 1 || cols < 1 || extra < 0 || rows + cols + extra > KP_MAX)
		return -EINVAL;
	ret = platform_driver_register(&kp_driver);
	if (ret)
		return ret;
	kp_dev = platform_device_register_simple("kpsim", 0, NULL, 0);
	if (IS_ERR(kp_dev)) {
		platform_driver_unregister(&kp_driver);
		return PTR_ERR(kp_dev);
	}
	return 0;
}
module_init(kp_init);

static void __exit kp_exit(void)
{
	platform_device_unregister(kp_dev);
	platform_driver_unregister(&kp_driver);
}
module_exit(kp_exit);

MODULE_LICENSE("GPL v2");
MODULE_DESCRIPTION("GPIO chip with a simulated matrix keypad");
