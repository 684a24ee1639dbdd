using System.Reflection;
using System.Runtime.Loader;

namespace Emu.Hosting;

/// <summary>
/// Ports at devices of libpcap, whose code is in an assembly that a program has or has not: the package Emu.SharpPcap.
/// </summary>
internal static class DevicePorts
{
    /// <summary>The assembly, and the namespace of its port.</summary>
    private const string Package = "Emu.SharpPcap";

    /// <summary>Opens one.</summary>
    /// <param name="text">The port as the user wrote it.</param>
    /// <param name="device">The name of the device.</param>
    /// <param name="mtu">The MTU that frames may grow to.</param>
    /// <exception cref="CommandException">The assembly is not there, or the port cannot be had.</exception>
    public static Port Open(string text, string device, int mtu)
    {
        var assembly = Find() ?? throw CommandException.Failure(
            $"{text}: ports at devices are in the package {Package}, which this program has not: "
            + $"dotnet add package {Package}, in the project of the service");
        var type = assembly.GetType($"{Package}.DevicePort", throwOnError: true)!;
        try
        {
            return (Port)Activator.CreateInstance(type, device, mtu)!;
        }
        catch (TargetInvocationException exception) when (exception.InnerException is CommandException reason)
        {
            throw new CommandException(reason.ExitCode, reason.Message);
        }
    }

    /// <summary>Beside the service, where that brings its own libraries, or beside the program.</summary>
    private static Assembly? Find() =>
        AssemblyLoadContext.All.Where(context => context != AssemblyLoadContext.Default)
            .Append(AssemblyLoadContext.Default)
            .Select(Load).FirstOrDefault(assembly => assembly is not null);

    private static Assembly? Load(AssemblyLoadContext context)
    {
        try
        {
            return context.LoadFromAssemblyName(new AssemblyName(Package));
        }
        catch (FileNotFoundException)
        {
            return null;
        }
        catch (FileLoadException exception) when (exception.InnerException is CommandException reason)
        {
            throw new CommandException(reason.ExitCode, reason.Message);
        }
    }
}
