namespace Emu.Tool.Tests;

public sealed class OptionalTestsTests
{
    [Fact]
    public void The_reason_of_a_skipped_project_is_the_first_error_of_its_restore() =>
        Assert.Equal(
            "NU1101: Unable to find package SharpPcap. No packages exist with this id",
            OptionalTests.ReasonIn(
                """
                  Determining projects to restore...
                /r/src/E/E.csproj : error NU1101: Unable to find package SharpPcap. No packages exist with this id
                /r/src/Emu.SharpPcap/Emu.SharpPcap.csproj : error NU1101: Unable to find package PacketDotNet.
                """));

    [Fact]
    public void What_is_in_the_solution_is_not_optional() =>
        Assert.Empty(OptionalTests.WithoutPackages([Path.Combine(Repository.Root, "tests", "Emu.Core.Tests")]));
}
