// SPDX-License-Identifier: GPL-2.0-only
/*
 * A simulated I2C adapter: /dev/i2c-1 of the virtual Pi.
 *
 * To its callers it behaves like the adapter of a BCM2835: a missing chip is EREMOTEIO, a bus that
 * is held is ETIMEDOUT after a second, and a message takes the time of its bits. A test sets the
 * conduct of an address by writing lines to /dev/virtual-bus:
 *
 *	3c answers	acknowledges every byte
 *	3c absent	acknowledges nothing (the default of addresses not in answering=)
 *	3c nak 2	accepts half of a message, then acknowledges nothing, for two transfers
 *	3c timeout	accepts half, then holds the clock for a second
 *	3c hang		accepts half, then holds it until another line is written
 *	3c forgets	loses its memory once, and answers
 *	0 timeout	address 0 is the bus itself: every transfer, to any address
 *
 * A number at the end is a count of transfers, after which the address answers again; without one,
 * or with 0, the conduct is permanent. Reading /dev/virtual-bus returns every message that was
 * started, in order, each with a header. If the reader is too slow, numbers are skipped.
 */
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/i2c.h>
#include <linux/kfifo.h>
#include <linux/ktime.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#define ADDRESSES	0x80
#define WIRES		0
#define KEPT		(4 << 20)
#define TIMEOUT_MS	1000

enum conduct { ABSENT, ANSWERS, NAK, TIMEOUT, HANG, FORGETS };
static const char * const conducts[] = {
	"absent", "answers", "nak", "timeout", "hang", "forgets"
};

struct chip {
	enum conduct conduct;
	unsigned int left;	/* transfers until it answers again; 0: permanent */
};

/* Precedes each message read; little-endian, without padding. */
struct header {
	__le64 ns;		/* start of the message, since boot */
	__le32 number;		/* of the message, from 0 */
	__le16 address;
	__le16 error;		/* errno returned to the caller, 0 for none */
	__le32 length;		/* bytes that arrived; they follow */
} __packed;

static ushort answering[ADDRESSES];
static int answering_count;
module_param_array(answering, ushort, &answering_count, 0444);
MODULE_PARM_DESC(answering, "addresses that answer from the start");

static int hertz = 400000;
module_param(hertz, int, 0644);
MODULE_PARM_DESC(hertz, "clock of the bus; 0: messages take no time");

static struct chip chips[ADDRESSES];
static bool is_on[ADDRESSES];		/* the display of a chip: its status when it is read */
static unsigned int changes;		/* of chips; read by waiting transfers */
static u32 messages;
static struct kfifo kept;
static DEFINE_MUTEX(state);		/* guards all of the above */
static DECLARE_WAIT_QUEUE_HEAD(news);
static DECLARE_WAIT_QUEUE_HEAD(told);

/* The conduct for one transfer; the caller holds state. */
static enum conduct use(struct chip *chip)
{
	enum conduct now = chip->conduct;

	if (chip->left && !--chip->left)
		chip->conduct = ANSWERS;
	return now;
}

static enum conduct conduct_for(u16 address)
{
	enum conduct now;

	mutex_lock(&state);
	now = chips[WIRES].conduct == ANSWERS ? use(&chips[address]) : use(&chips[WIRES]);
	mutex_unlock(&state);
	return now;
}

static int error_of(enum conduct now)
{
	switch (now) {
	case ANSWERS:
		return 0;
	case TIMEOUT:
	case HANG:
		return ETIMEDOUT;
	default:
		return EREMOTEIO;
	}
}

static u32 arrived(enum conduct now, const struct i2c_msg *message)
{
	if (now == ABSENT || (message->flags & I2C_M_RD))
		return 0;
	return now == ANSWERS ? message->len : message->len / 2;
}

static void keep(enum conduct now, const struct i2c_msg *message)
{
	struct header header = {
		.ns = cpu_to_le64(ktime_get_ns()),
		.address = cpu_to_le16(message->addr),
		.error = cpu_to_le16(error_of(now)),
		.length = cpu_to_le32(arrived(now, message)),
	};

	mutex_lock(&state);
	/* A message of one command: display off, display on. */
	if (arrived(now, message) == 2 && message->buf[0] == 0 && (message->buf[1] | 1) == 0xaf)
		is_on[message->addr] = message->buf[1] & 1;
	header.number = cpu_to_le32(messages++);
	if (kfifo_avail(&kept) >= sizeof(header) + arrived(now, message)) {
		kfifo_in(&kept, (u8 *)&header, sizeof(header));
		kfifo_in(&kept, message->buf, arrived(now, message));
	}
	mutex_unlock(&state);
	wake_up_interruptible(&news);
}

static void wait_for_a_change(void)
{
	unsigned int seen = READ_ONCE(changes);

	/* Killable, unlike a real chip: SIGKILL must end the process. */
	wait_event_killable(told, READ_ONCE(changes) != seen);
}

static int transfer_one(struct i2c_msg *message)
{
	enum conduct now = conduct_for(message->addr);
	u64 bits = 9 * (message->len + 1) + 2;

	keep(now, message);
	if (hertz > 0)
		fsleep(div_u64(bits * 1000000, hertz));
	if (now == TIMEOUT)
		msleep(TIMEOUT_MS);
	if (now == HANG)
		wait_for_a_change();
	if (now == ANSWERS && (message->flags & I2C_M_RD))
		memset(message->buf, READ_ONCE(is_on[message->addr]) ? 0 : 0x40, message->len);
	return -error_of(now);
}

static int transfer(struct i2c_adapter *adapter, struct i2c_msg *message, int count)
{
	int at, error;

	for (at = 0; at < count; at++) {
		if (message[at].addr >= ADDRESSES)
			return -EREMOTEIO;
		error = transfer_one(&message[at]);
		if (error)
			return error;
	}
	return count;
}

static u32 functionality(struct i2c_adapter *adapter)
{
	return I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
}

static const struct i2c_algorithm algorithm = {
	.xfer = transfer,
	.functionality = functionality,
};

static struct i2c_adapter adapter = {
	.owner = THIS_MODULE,
	.name = "bcm2835 (i2c@7e804000)",
	.algo = &algorithm,
	.nr = 1,
};

static ssize_t bus_read(struct file *file, char __user *buffer, size_t size, loff_t *offset)
{
	unsigned int copied;
	int error;

	if (kfifo_is_empty(&kept)) {
		if (file->f_flags & O_NONBLOCK)
			return -EAGAIN;
		if (wait_event_interruptible(news, !kfifo_is_empty(&kept)))
			return -ERESTARTSYS;
	}
	mutex_lock(&state);
	error = kfifo_to_user(&kept, buffer, size, &copied);
	mutex_unlock(&state);
	return error ?: copied;
}

static __poll_t bus_poll(struct file *file, poll_table *table)
{
	poll_wait(file, &news, table);
	return kfifo_is_empty(&kept) ? 0 : EPOLLIN | EPOLLRDNORM;
}

/* One line: a hexadecimal address, a conduct, and optionally a number of transfers. */
static int tell(char *line)
{
	unsigned int address, left = 0;
	char word[12];
	int conduct;

	if (sscanf(line, "%x %11s %u", &address, word, &left) < 2 || address >= ADDRESSES)
		return -EINVAL;
	conduct = match_string(conducts, ARRAY_SIZE(conducts), word);
	if (conduct < 0)
		return -EINVAL;
	mutex_lock(&state);
	if (conduct == FORGETS || conduct == ABSENT)
		is_on[address] = false;
	if (conduct == FORGETS)
		conduct = ANSWERS;
	chips[address] = (struct chip){ conduct, left };
	WRITE_ONCE(changes, changes + 1);
	mutex_unlock(&state);
	wake_up_all(&told);
	return 0;
}

static ssize_t bus_write(struct file *file, const char __user *buffer, size_t size, loff_t *offset)
{
	char *text, *rest, *line;
	int error = 0;

	if (size > PAGE_SIZE)
		return -EMSGSIZE;
	text = memdup_user_nul(buffer, size);
	if (IS_ERR(text))
		return PTR_ERR(text);
	rest = text;
	while (!error && (line = strsep(&rest, "\n")))
		if (*line)
			error = tell(line);
	kfree(text);
	return error ?: size;
}

static const struct file_operations operations = {
	.owner = THIS_MODULE,
	.read = bus_read,
	.write = bus_write,
	.poll = bus_poll,
};

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "virtual-bus",
	.fops = &operations,
	.mode = 0600,
};

static int __init bus_init(void)
{
	void *buffer = kvmalloc(KEPT, GFP_KERNEL);
	int error, at;

	if (!buffer)
		return -ENOMEM;
	chips[WIRES].conduct = ANSWERS;
	for (at = 0; at < answering_count; at++)
		if (answering[at] < ADDRESSES)
			chips[answering[at]].conduct = ANSWERS;
	error = kfifo_init(&kept, buffer, KEPT);
	if (!error)
		error = misc_register(&device);
	if (error)
		goto free;
	error = i2c_add_numbered_adapter(&adapter);
	if (error)
		goto deregister;
	return 0;

deregister:
	misc_deregister(&device);
free:
	kvfree(buffer);
	return error;
}

static void __exit bus_exit(void)
{
	i2c_del_adapter(&adapter);
	misc_deregister(&device);
	kvfree(kept.kfifo.data);
}

module_init(bus_init);
module_exit(bus_exit);
MODULE_DESCRIPTION("I2C bus of a virtual Pi, whose messages can be read and whose chips can fail");
MODULE_LICENSE("GPL");
