return Emu.Hosting.ServiceCommand.Run<Emu.Services.LearningSwitch>(args);
