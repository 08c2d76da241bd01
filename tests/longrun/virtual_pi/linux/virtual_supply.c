// SPDX-License-Identifier: GPL-2.0-only
/*
 * The undervoltage sensor of a Pi, with the name and the one attribute of the real one. A test
 * raises the alarm: echo 1 > /sys/module/virtual_supply/parameters/weak
 * A change is an event of the attribute, as in drivers/hwmon/raspberrypi-hwmon.c.
 */
#include <linux/err.h>
#include <linux/hwmon-sysfs.h>
#include <linux/hwmon.h>
#include <linux/module.h>
#include <linux/platform_device.h>

static bool weak;
static struct platform_device *board;
static struct device *sensor;

static int weak_set(const char *text, const struct kernel_param *parameter)
{
	bool before = weak;
	int error = param_set_bool(text, parameter);

	if (!error && weak != before && sensor)
		sysfs_notify(&sensor->kobj, NULL, "in0_lcrit_alarm");
	return error;
}

static const struct kernel_param_ops weak_ops = {
	.flags = KERNEL_PARAM_OPS_FL_NOARG,
	.set = weak_set,
	.get = param_get_bool,
};
module_param_cb(weak, &weak_ops, &weak, 0644);
MODULE_PARM_DESC(weak, "the voltage is too low");

static ssize_t alarm_show(struct device *dev, struct device_attribute *attribute, char *page)
{
	return sysfs_emit(page, "%d\n", weak);
}

static SENSOR_DEVICE_ATTR_RO(in0_lcrit_alarm, alarm, 0);

static struct attribute *supply_attrs[] = {
	&sensor_dev_attr_in0_lcrit_alarm.dev_attr.attr,
	NULL,
};
ATTRIBUTE_GROUPS(supply);

static int __init supply_init(void)
{
	board = platform_device_register_simple("virtual-supply", PLATFORM_DEVID_NONE, NULL, 0);
	if (IS_ERR(board))
		return PTR_ERR(board);
	sensor = hwmon_device_register_with_groups(&board->dev, "rpi_volt", NULL, supply_groups);
	if (IS_ERR(sensor)) {
		int error = PTR_ERR(sensor);

		sensor = NULL;
		platform_device_unregister(board);
		return error;
	}
	return 0;
}

static void __exit supply_exit(void)
{
	hwmon_device_unregister(sensor);
	platform_device_unregister(board);
}

module_init(supply_init);
module_exit(supply_exit);
MODULE_DESCRIPTION("Under-voltage alarm of a virtual Pi");
MODULE_LICENSE("GPL");
