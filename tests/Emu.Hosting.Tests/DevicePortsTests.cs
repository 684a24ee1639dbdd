namespace Emu.Hosting.Tests;

public sealed class DevicePortsTests
{
    [Fact]
    public void Without_the_package_the_error_says_how_to_get_it()
    {
        var exception = Assert.Throws<CommandException>(() => PortSpecification.Open("device:eth0"));
        Assert.Equal(1, exception.ExitCode);
        Assert.StartsWith("device:eth0: ports at devices are in the package Emu.SharpPcap", exception.Message);
        Assert.Contains("dotnet add package Emu.SharpPcap", exception.Message);
    }

    [Fact]
    public void A_device_is_one_port_of_a_run() =>
        Assert.Contains(
            "device:eth0 is given twice",
            Assert.Throws<CommandException>(
                () => PortSpecification.CheckTogether(["device:eth0", "device:eth0"])).Message);
}
