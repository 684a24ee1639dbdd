using System.Reflection;

namespace Emu.Tool;

/// <summary>The version of the packages that belong to a command.</summary>
internal static class PackageVersion
{
    /// <summary>The version of this command, without the commit behind it.</summary>
    public static string Own { get; } = typeof(PackageVersion).Assembly
        .GetCustomAttribute<AssemblyInformationalVersionAttribute>()!.InformationalVersion.Split('+')[0];
}
