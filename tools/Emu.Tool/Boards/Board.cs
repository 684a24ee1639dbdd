namespace Emu.Tool;

/// <summary>A board, or a shell for several, that a project can be written for: a row of boards.json.</summary>
/// <param name="Name">The name that a user gives.</param>
/// <param name="Folders">The folders of its templates, in netfpga/boards.</param>
/// <param name="Title">The shell and the card, a line.</param>
/// <param name="Shell">The repository of the shell, as owner/name.</param>
/// <param name="Commit">
/// The commit of the shell whose names and ports the templates have; null where it was not read.
/// </param>
/// <param name="Copy">
/// The public copy, by owner/name and commit, in which a shell was read whose own repository is not open to all.
/// </param>
/// <param name="Vivado">The version of Vivado that the shell asks for.</param>
/// <param name="BusBits">Bits of the stream to and from the service.</param>
/// <param name="ClockMhz">The clock of the stream.</param>
/// <param name="LineGbps">Gb/s of a MAC's line.</param>
/// <param name="RegisterClockMhz">The clock of the registers.</param>
/// <param name="Device">The family of devices, as in <c>--device</c>.</param>
/// <param name="Ports">The numbers of ports that it can give a service, the default first.</param>
/// <param name="HostPort">
/// The port that is the host of a service that has it, where that is one port at a NetFPGA's queues; else -1.
/// </param>
/// <param name="Queues">The ports of a NetFPGA's datapath, the host's last; 0 for other shells.</param>
/// <param name="Families">The families of devices that a packaged core is for, as Tcl has them.</param>
/// <param name="RegisterBar">The BAR in which the window of registers is; null where that is not known.</param>
/// <param name="RegisterOffset">The window's start in it.</param>
/// <param name="RegisterWindow">
/// The window's start in the shell's own map, by which its tests name registers; null where that is not known.
/// </param>
/// <param name="Tree">The way to elaborate a project in a clone of the shell; null where free tools cannot.</param>
/// <param name="State">The checks that its projects have passed; what a test holds it to.</param>
internal sealed record Board(
    string Name, IReadOnlyList<string> Folders, string Title, string Shell, string? Commit, string? Copy, string Vivado,
    int BusBits, int ClockMhz, int LineGbps, int RegisterClockMhz, string Device, IReadOnlyList<int> Ports,
    int HostPort, int Queues, string Families, int? RegisterBar, long? RegisterOffset, long? RegisterWindow,
    BoardTree? Tree, IReadOnlyList<string> State)
{
    /// <summary>The period of the stream's clock as the step of the board's clock: nanoseconds times 2^24.</summary>
    public long Step => ((1000L << 24) + ClockMhz / 2) / ClockMhz;

    /// <summary>The first ports of a service, which are MACs; those behind them are the host's.</summary>
    /// <param name="ports">The ports of the service.</param>
    public int MacsOf(int ports) => Queues == 0 ? ports / 2 : HostPortOf(ports) >= 0 ? HostPort : ports;

    /// <summary>The host's port of a service on a NetFPGA; -1 where it has none.</summary>
    /// <param name="ports">The ports of the service.</param>
    public int HostPortOf(int ports) => HostPort < ports ? HostPort : -1;
}
